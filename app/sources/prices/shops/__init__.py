"""How shops are read: one small protocol, and who speaks to whom."""
