"""Shifts out of files, as Excel saves them: read, previewed, and brought in all or nothing."""
