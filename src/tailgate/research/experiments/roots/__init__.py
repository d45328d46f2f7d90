"""Root relaxations: the three pipelines, and how the effort grows."""
