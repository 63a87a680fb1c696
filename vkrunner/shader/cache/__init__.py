"""The cache of translations and pipelines on disk, which processes share.

`store` keeps bytes under keys; `folder` has its location and size limit; `keys` makes the keys of
translations; `translation` and `entries` serialise modules; `recent` is a cache in memory.
"""
