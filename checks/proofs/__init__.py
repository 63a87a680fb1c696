"""Proofs: rules of passes hold for all operands, by z3 and by induction (docs/correctness.md)."""
