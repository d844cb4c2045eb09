"""The paths between two ends that a routing uses, hop by hop."""
