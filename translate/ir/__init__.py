"""The typed scalar SSA IR that lowering makes, passes rewrite and `spirv` emits."""
