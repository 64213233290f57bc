"""The nine rules of DESIGN.md section 3 as functions over source text, so that each can be shown to fail."""
