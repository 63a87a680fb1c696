"""What was translated and compiled before, kept on disk between processes.

`store` keeps bytes under keys, `folder` knows where and how many, `keys` what a translation depends
on, `entries` how a module is written down, `pipelines` what drivers give.
"""
