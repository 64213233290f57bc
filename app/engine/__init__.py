"""THE SENDING: knows the contract, no particular source or channel."""
