"""Inference: pools of GPUs that prefill prompts and decode tokens, what they send, and how fast they can be."""
