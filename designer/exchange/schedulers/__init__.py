"""Files by which schedulers and launchers know the cluster: Slurm's topology, host files, rank files."""
