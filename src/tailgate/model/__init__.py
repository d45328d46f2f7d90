"""The problem and its answer: instances, solutions, conventions, units, and the judge."""
