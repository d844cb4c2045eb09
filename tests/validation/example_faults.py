"""Injectors of the faults of the example with one fault of every kind, each at its one place in the small rails."""

from clean_designs import CATALOG, make_examples

from designer.model.edit import Edit


def as_in_the_example(*names):
    """The faults of the example of that name, one after another, at their one place."""

    def inject(design, random):
        tried, changes = design.snapshot(), []
        for name in names:
            made = getattr(make_examples, name)(tried, CATALOG)
            tried.apply(Edit(name, made))
            changes.extend(made)
        return tuple(changes)

    return inject


AT_ONE_PLACE = {
    "PORT-007": as_in_the_example("_oversubscribed_leaf", "_protocol_mismatch"),
    "PORT-009": as_in_the_example("_half_cages"),
    "NIC-002": as_in_the_example("_nic_does_not_fit"),
    "NIC-004": as_in_the_example("_missing_nic"),
    "NIC-005": as_in_the_example("_dragonfly", "_twin_hosts"),
    "NIC-006": as_in_the_example("_dragonfly", "_twin_hosts"),
    "NIC-007": as_in_the_example("_dragonfly", "_twin_hosts"),
    "NIC-008": as_in_the_example("_dragonfly", "_twin_hosts"),
    "PLANE-002": as_in_the_example("_dragonfly", "_twin_hosts"),
    "RAIL-002": as_in_the_example("_dragonfly", "_twin_hosts"),
    "RAIL-004": as_in_the_example("_dragonfly", "_twin_hosts"),
    "RAIL-003": as_in_the_example("_in_another_unit"),
    "OVER-001": as_in_the_example("_oversubscribed_leaf"),
    "REACH-002": as_in_the_example("_fabric_in_pieces"),
    "MEDIA-002": as_in_the_example("_too_short"),
    "MEDIA-004": as_in_the_example("_hot_modules"),
    "MEDIA-005": as_in_the_example("_no_stock"),
    "MEDIA-007": as_in_the_example("_no_stock"),
    "RACK-006": as_in_the_example("_deep_switch"),
    "RACK-011": as_in_the_example("_deep_switch"),
    "NET-001": as_in_the_example("_oversubscribed_leaf", "_storage_networks"),
    "NET-002": as_in_the_example("_oversubscribed_leaf", "_storage_networks"),
    "NET-003": as_in_the_example("_oversubscribed_leaf", "_storage_networks"),
    "NET-005": as_in_the_example("_unmanaged"),
    "NET-006": as_in_the_example("_oversubscribed_leaf", "_storage_networks", "_nic_does_not_fit", "_storage_misfit"),
    "DOC-004": as_in_the_example("_nic_does_not_fit", "_stale_type"),
    "JOB-001": as_in_the_example("_jobs"),
    "TIER-005": as_in_the_example("_oversubscribed_leaf", "_protocol_mismatch"),
    "TIER-004": as_in_the_example("_dragonfly", "_blocks"),
    "TORUS-002": as_in_the_example("_dragonfly", "_torus"),
    "DFLY-003": as_in_the_example("_dragonfly"),
    "DFLY-004": as_in_the_example("_dragonfly"),
    "SPOF-001": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "SPOF-002": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "SPOF-004": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "PLANE-001": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts"),
    "SPREAD-002": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts", "_thin_leaf"),
    "SPREAD-003": as_in_the_example("_oversubscribed_leaf", "_uneven_uplinks", "_slow_parallel_link"),
    "DEADLOCK-001": as_in_the_example("_oversubscribed_leaf", "_dragonfly", "_trial_hosts", "_ring_of_switches"),
}
"""By rule."""
