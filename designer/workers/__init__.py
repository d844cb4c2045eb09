"""Many pieces of work: over the processors of this machine, over a Dask cluster, or one after the other."""
