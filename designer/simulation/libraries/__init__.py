"""What NCCL and RCCL choose on a drawn machine, and how long it takes there."""
