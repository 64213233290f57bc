"""What people write to stores and to each other."""
