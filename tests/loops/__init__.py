"""Loops on drivers that spoil what is used after them, or end them."""
