"""This installation beside another one: the same instances, in turns."""
