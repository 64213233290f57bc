"""WHAT IS OWED: a passive ledger of deliveries and their attempts. It decides nothing and sends nothing."""
