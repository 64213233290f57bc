"""LINE's Messaging API: what may be said, how it is sent, what the answers mean."""

from app.channels.line.channel import LineChannel

__all__ = ["LineChannel"]
