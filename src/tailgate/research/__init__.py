"""The laboratory: instances to generate, data sets, training, evaluation, experiments."""
