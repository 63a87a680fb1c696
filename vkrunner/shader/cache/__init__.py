"""The cache of translations and pipelines on disk, which processes share.

`store` keeps bytes under keys, in the cache's folder, and values in memory; `entries` makes the
keys and serialises translations; `compiled` has the results of compilers of HLSL.
"""
