"""RADV without a card: AMD's compiler in Mesa, run over modules for a family of GPUs."""
