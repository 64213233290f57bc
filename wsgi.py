"""The web side: what gunicorn and the `flask` command load."""

import sys

from app import create_app
from app.config import ConfigurationError

try:
    app = create_app()
except ConfigurationError as error:
    sys.exit(f"Todoke cannot start:\n{error}")
