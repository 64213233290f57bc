"""A month's shift table: drawn, sent to LINE groups, shown to whoever may see it."""
