"""Logs as benchmarks print them, with figures made up for the tests."""

DEVICES = """\
# Using devices
#  Rank  0 Group  0 Pid  41001 on    gpu-001 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid  41002 on    gpu-001 device  1 [0000:43:00] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid  51001 on    gpu-002 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid  51002 on    gpu-002 device  1 [0000:43:00] NVIDIA H100 80GB HBM3
"""
TABLE = """\
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
"""
NEW = (
    "# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807\n"
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 1 minBytes 1048576 maxBytes 1073741824 step: 1024(factor) warmup iters: 1 iters: 20 "
    "agg iters: 1 validation: 1 graph: 0 unalign: 0\n#\n"
    + DEVICES
    + TABLE
    + """\
     1048576        262144     float     sum      -1    50.10   20.93   31.39       0    49.20   21.31   31.97       0
  1073741824     268435456     float     sum      -1  6017.2  178.44  267.67       0  6005.1  178.80  268.21       3
# Out of bounds values : 3 FAILED
# Avg bus bandwidth    : 149.8
#
# Collective test concluded: all_reduce_perf
"""
)
OLD = """\
# nThread 1 nGpus 4 minBytes 8 maxBytes 67108864 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#
# Using devices
#   Rank  0 Pid   1320 on     node07 device  0 [0x07] Tesla V100-SXM2-32GB
#   Rank  1 Pid   1320 on     node07 device  1 [0x0a] Tesla V100-SXM2-32GB
#   Rank  2 Pid   1320 on     node07 device  2 [0x0f] Tesla V100-SXM2-32GB
#   Rank  3 Pid   1320 on     node07 device  3 [0x1b] Tesla V100-SXM2-32GB
#
#                                                     out-of-place                       in-place
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           8             2   float     sum    22.40    0.00    0.00  2e-07    21.90    0.00    0.00    N/A
    67108864      16777216   float     sum    805.3   83.33  125.00  2e-07    801.1   83.77  125.66    N/A
# Out of bounds values : 0 OK
"""
GATHER = """\
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
    67108864      16777216   float            805.3   83.33   62.50  0e+00    801.1   83.77   62.83  0e+00
"""
RCCL = (
    "# nThread 1 nGpus 8 minBytes 8388608 maxBytes 8388608 step: 2(factor) warmup iters: 5 iters: 20\n#\n"
    "rccl-tests: Version develop:83d38d9\n# Using devices\n"
    + "".join(
        f"#  Rank {n:2d} Group  0 Pid  37300 on   mi300x-1 device {n:2d} [0000:{n + 5:02x}:00] AMD Instinct MI300X\n"
        for n in range(8)
    )
    + "RCCL version : 2.22.3-develop:29e1567\n"
    + TABLE.replace("out-of-place                       in-place", "in-place").replace(
        "     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong", "     time   algbw   busbw #wrong"
    )
    + "     8388608       2097152     float     sum      -1    94.94   88.36  154.63      0\n"
)
OSU_BW = """\
$ mpirun -np 2 --host gpu-001,gpu-002 -x UCX_TLS=rc ./osu_bw -m 1048576:4194304 D D
# OSU MPI-CUDA Bandwidth Test v7.4
# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)
# Size      Bandwidth (MB/s)
# Datatype: MPI_CHAR.
1048576              48100.25
4194304              48802.00
"""
OSU_LATENCY = """\
# OSU MPI Latency Test (Version 2.1)
# Size\t\tLatency (us)
0\t\t0.64
8\t\t2.50
"""
OSU_ALL_TO_ALL = """\
srun -n 16 ./osu_alltoall -f
# OSU MPI All-to-All Personalized Exchange Latency Test v5.9
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
65536                 400.00            390.00            410.00        1000
"""
OSU_ALL_REDUCE = """\
# OSU MPI Allreduce Latency Test v7.5
# Size       Avg Latency(us)
1048576               200.00
"""
WRITE_BW = """\
---------------------------------------------------------------------------------------
                    RDMA_Write BW Test
 Dual-port       : OFF\t\tDevice         : mlx5_3
 Number of qps   : 4\t\tTransport type : IB
 Link type       : Ethernet
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
Conflicting CPU frequency values detected: 1500.000000 != 3300.016000. CPU Frequency is not max.
 65536      5000             391.20             390.00\t\t     0.743866
---------------------------------------------------------------------------------------
"""
BOTH_WAYS = WRITE_BW.replace("RDMA_Write BW Test", "Send Bidirectional BW Test").replace("Gb/sec", "MB/sec")
WRITE_LAT = """\
                    RDMA_Write Latency Test
 Dual-port       : OFF\t\tDevice         : mlx5_0
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]  t_avg[usec]  t_stdev[usec]  99% percentile[usec]
 2       1000          1.76           6.12         1.79                1.80             0.06            1.88
"""


def nccl_log(rows, part: str = "", n_ranks: int = 0, hosts: tuple[str, ...] = ()) -> str:
    """A log of all_reduce_perf with these (size, time in us, algbw, busbw), of a part or on these hosts."""
    per_host = n_ranks // len(hosts) if hosts else 0
    ranks = [(host, gpu) for host in hosts for gpu in range(per_host)]
    return "\n".join(
        [
            *([f"# fabric-designer part: {part}"] if part else []),
            "# Collective test starting: all_reduce_perf",
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 20",
            "# Using devices",
            *(
                f"#  Rank {rank:2d} Group  0 Pid {4000 + rank:6d} on {host:>10s} device {gpu:2d} [0x1b] NVIDIA H100"
                for rank, (host, gpu) in enumerate(ranks)
            ),
            TABLE,
            *(
                f"{size:12d}  {size // 4:12d}     float     sum      -1  {time_us:9.2f}  {algbw:7.3f}  {busbw:7.3f}  0"
                f"  {time_us:9.2f}  {algbw:7.3f}  {busbw:7.3f}  0"
                for size, time_us, algbw, busbw in rows
            ),
            "# Collective test concluded: all_reduce_perf",
        ]
    )
