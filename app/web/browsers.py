"""What kind of browser somebody uses, in words short enough to tell two of them apart."""

from flask import request

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Line/", "LINE"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
"""What stands in the User-Agent header, the more particular first: nearly all call themselves Safari, too."""


def this_browser() -> str:
    """Chrome · Android; empty for one that does not say."""
    header = request.headers.get("User-Agent", "")
    found = (next((name for sign, name in signs if sign in header), None) for signs in (BROWSERS, SYSTEMS))
    return " · ".join(name for name in found if name)
