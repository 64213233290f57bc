"""The pages of announcements."""
