"""Translations and pipelines, kept on disk between processes.

`store` keeps bytes under keys, `folder` has its place and size, `keys` makes the keys of
translations, `translation` and `entries` write modules down, `recent` keeps the last in memory.
"""
