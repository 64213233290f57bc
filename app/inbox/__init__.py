"""WHAT A PERSON SEES: notifications, who may read them now, and what is read."""
