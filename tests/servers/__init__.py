"""The real servers that the tests run against: PostgreSQL, Valkey and a browser; what is not there is named."""
