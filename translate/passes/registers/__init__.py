"""Registers, arrays and subroutines of D3D become values, memory and calls."""
