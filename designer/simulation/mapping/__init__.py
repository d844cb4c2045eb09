"""Which GPUs a job gets, and in which order: searched by running it, with a bound on what any order can reach."""
