"""Shifts as people keep them: adding, changing, looking at them."""
