"""The rows of the simulators' files in the table of exporters."""

from designer.exchange.exporter import SIMULATORS, Exporter, rendered_by, said_by
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.simulators.options import AstraOptions, NcclOptions, SimAiOptions, SimGridOptions
from designer.late import Late

platforms = Late("designer.exchange.simulators.simgrid")
simais = Late("designer.exchange.simulators.simai")
infragraphs = Late("designer.exchange.simulators.infragraph")
astras = Late("designer.exchange.simulators.astra_sim")
nccl = Late("designer.exchange.simulators.nccl_topo")


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "simgrid",
        "SimGrid platform",
        ".xml",
        SimGridOptions,
        rendered_by(lambda: platforms.write_simgrid, hears=True),
        group=SIMULATORS,
        about="GPUs, links and the route of each pair, as one of our routings has it, for the simulator SimGrid.",
        outcome=said_by(lambda: platforms.summary),
    ),
    Exporter(
        "nccl-topo",
        "NCCL topology of servers",
        ".zip",
        NcclOptions,
        rendered_by(lambda: nccl.write_nccl),
        group=SIMULATORS,
        other_suffixes=(".xml",),
        about="GPUs, NVLink and NICs of each server type as NCCL_TOPO_FILE reads them; one type alone as .xml.",
        outcome=said_by(lambda: nccl.summary),
    ),
    Exporter(
        "simai",
        "SimAI topology",
        ".topo",
        SimAiOptions,
        rendered_by(lambda: simais.write_simai),
        group=SIMULATORS,
        about="GPUs, an NVSwitch per server, switches and links with rate and delay for SimAI and its ns-3.",
        outcome=said_by(lambda: simais.summary),
    ),
    Exporter(
        "astra-sim",
        "ASTRA-sim network",
        ".yml",
        AstraOptions,
        rendered_by(lambda: astras.write_astra),
        group=SIMULATORS,
        about="A torus, or servers under switches, as dimensions of ASTRA-sim's network; others are refused.",
        outcome=said_by(lambda: astras.summary),
    ),
    Exporter(
        "infragraph",
        "InfraGraph infrastructure",
        ".yaml",
        NetworkOptions,
        rendered_by(lambda: infragraphs.write_infragraph),
        group=SIMULATORS,
        about="Kinds of devices with GPUs, NICs and ports, every device, and every link by its ports, for InfraGraph.",
        outcome=said_by(lambda: infragraphs.summary),
    ),
)
