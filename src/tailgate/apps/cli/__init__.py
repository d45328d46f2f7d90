"""The command line: one file per command, each with ``add_command`` and ``run``."""
