"""The cache of translations and pipelines on disk, which processes share.

`store` keeps bytes under keys, in the cache's folder; `keys` makes the keys of
translations; `translation` and `entries` serialise modules; `recent` is a cache in memory.
"""
