"""Fleets of several kinds and orders that may be left out, beside PyVRP."""
