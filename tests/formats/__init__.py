"""Texels of formats that lie packed, in blocks or beside others: what shaders read and store."""
