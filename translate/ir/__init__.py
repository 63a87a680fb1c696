"""The typed scalar SSA IR, between lowering, passes and the emission of SPIR-V."""
