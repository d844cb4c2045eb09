"""Queues of lossless Ethernet under DCQCN and PFC, bottleneck by bottleneck, as the fluid equations of the papers."""
