"""WHAT PEOPLE MAY DO TO THE LEDGER: each act is guarded by what they saw, and audited."""
