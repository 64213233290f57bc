"""WHAT PEOPLE MAY DO TO THE LEDGER, and what changes accounts, devices and ledger as one: guarded, and audited."""
