"""Figures that are to stay below a limit: pass or miss."""


def at_most(name: str, ours: float, limit: float, unit: str) -> None:
    """Print it."""
    verdict = "pass" if ours <= limit else "MISS"
    print(f"{name:60}{ours:10.2f} {unit:5}  at most {limit:g} {unit:5}  {verdict}", flush=True)
