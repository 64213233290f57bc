"""WHO: accounts, their roles and how they sign in."""
