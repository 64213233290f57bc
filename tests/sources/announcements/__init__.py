"""Announcements: what may be written, who is told, and telling them."""
