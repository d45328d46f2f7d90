"""Proven optima, and what unloading in order costs."""
