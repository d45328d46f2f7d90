"""The exact solver: loading check, pricing, master problem, column generation, search."""
