"""The background side: what workers run, the clock that rings for them, and the pool that holds them."""
