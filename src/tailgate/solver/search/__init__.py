"""Branch-price-and-cut: from the bound of the relaxation to a proven optimum."""
