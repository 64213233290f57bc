"""Web Push: what may be said to a browser, how it is encrypted and sent, what the answers mean."""

from app.channels.web_push.channel import WebPushChannel

__all__ = ["WebPushChannel"]
