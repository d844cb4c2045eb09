"""What rules rest on, where more than one does: standards, papers, data sheets, and what a design says itself."""

AL_FARES = "M. Al-Fares, A. Loukissas, A. Vahdat, “A Scalable, Commodity Data Center Network Architecture” (2008)"
DALLY = "W. Dally, B. Towles, “Principles and Practices of Interconnection Networks” (2004)"
ECMP = "C. Hopps, “Analysis of an Equal-Cost Multi-Path Algorithm”, RFC 2992 (2000): all next hops get equal shares."
HPN = "K. Qian et al., “Alibaba HPN: A Data Center Network for Large Language Model Training” (2024)"
TAGGER = "S. Hu et al., “Tagger: Practical PFC Deadlock Prevention in Data Center Networks” (2017)"
WCMP = "J. Zhou et al., “WCMP: Weighted Cost Multipathing for Improved Fairness in Data Centers” (2014)"
TARJAN = (
    "R. Tarjan, “Depth-First Search and Linear Graph Algorithms” (1972): articulation points and biconnected "
    "components; a link that is one by itself is a bridge."
)
RAIL_ONLY = (
    "W. Wang et al., “Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion Parameters” "
    "(arXiv 2307.12169, 2023)"
)

SUPERPOD = "NVIDIA DGX SuperPOD reference architectures"
SUPERPOD_RAILS = f"{SUPERPOD}: GPU n of each server of a unit is on leaf n of the unit."
SUPERPOD_NETWORKS = f"{SUPERPOD}: a compute, a storage, an in-band and an out-of-band management network."

IEEE_802_3 = "IEEE 802.3, Ethernet"
INFINIBAND = "InfiniBand Architecture Specification, volume 1"
OSFP = "OSFP MSA and QSFP-DD MSA"
EIA_310 = "EIA/ECA-310-E, Cabinets, Racks, Panels, and Associated Equipment (2005)"
TIA_606 = "ANSI/TIA-606, Administration Standard for Telecommunications Infrastructure"
TIA_942 = "ANSI/TIA-942, Telecommunications Infrastructure Standard for Data Centers"
ASHRAE = "ASHRAE TC 9.9, “Thermal Guidelines for Data Processing Environments”: equipment placement and airflow."

DATA_SHEETS = "Data sheets of the devices, named in the catalog"
CABLE_SHEETS = "Data sheets of the cables and optics, named in the catalog"
FLOOR_PLAN = "The floor plan of the design"
OF_POLICY = "How much is for the policy of the design to say."
