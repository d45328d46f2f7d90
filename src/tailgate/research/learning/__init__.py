"""Training and evaluation of the network that predicts loading verdicts (needs torch)."""
