"""The pages of price watches."""
