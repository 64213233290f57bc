"""WHERE: a person's LINE link, and what an address of a delivery resolves to at the moment of sending."""
