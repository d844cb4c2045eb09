"""The form of a training step: a model, how it is laid over the GPUs, and what is assumed of them."""

from designer.panels.widgets.appearance import Appearance
from designer.simulation.training.request import PRESETS, Training
from designer.simulation.transformer import EXPERTS
from designer.windows.dialogs.model_form import ModelForm

DIMENSIONS = {"parameters", "layers", "hidden", "sequence", "vocabulary", "experts"}
"""What makes a model another one."""


class TrainingForm(ModelForm):
    """`request` reads the form."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, PRESETS, Training, DIMENSIONS, {EXPERTS})
