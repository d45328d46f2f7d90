"""The network: how good it is, and how it was trained."""
