"""The form of inference: a model, its requests, the two pools, and a published deployment to start from."""

from PySide6.QtCore import QSignalBlocker

from designer.fields.field import fields_of
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, add_row
from designer.simulation.inference.models import ATTENTION, MODELS, PRECISION
from designer.simulation.inference.request import Inference
from designer.simulation.inference.setups import SETUPS, Setup
from designer.simulation.transformer import EXPERTS
from designer.windows.dialogs.model_form import ModelForm, align

DIMENSIONS = {"parameters", "layers", "hidden", "experts", "kv_heads", "kv_width", "attention_width"}
"""What makes a model another one."""
NONE = ""


class InferenceForm(ModelForm):
    """`request` reads the form; `choose_setup` fills it in as a published deployment was."""

    setup: ChoiceField | None = None

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, MODELS, Inference, DIMENSIONS, {EXPERTS, ATTENTION, PRECISION})
        self.setup = ChoiceField("Deployment", self.choose_setup)
        self.setup.setToolTip("A published deployment: fills in its model, requests and pools")
        add_row(self.top, "Deployment", self.setup)
        align(self.top, self.setup)
        self._offer_setups(NONE)

    @property
    def deployment(self) -> Setup | None:
        """The published deployment that was chosen."""
        chosen = NONE if self.setup is None else self.setup.value
        return next((one for one in SETUPS if one.name == chosen), None)

    def choose_setup(self, name: str) -> None:
        """Fill in a published deployment, what it does not state as usual; or none."""
        self._offer_setups(name)
        deployment = self.deployment
        if deployment is not None:
            with QSignalBlocker(self):
                super().choose_preset(deployment.model)
                for field in fields_of(Inference).values():
                    if field.is_shown and field.default is not ...:
                        self.show_value(field.name, deployment.values.get(field.name, field.default))
        self.show_source()
        self.changed.emit()

    def choose_preset(self, name: str) -> None:
        """Fill in a known model; a deployment of another model is left."""
        deployment = self.deployment
        if deployment is not None and deployment.model != name:
            self._offer_setups(NONE)
        super().choose_preset(name)

    def source_text(self) -> str:
        """Where model and deployment are from, and what was measured there."""
        found, deployment = [super().source_text()], self.deployment
        if deployment is not None:
            found.append(f"Deployment: {deployment.source}.")
            found += [f"Measured there: {deployment.measured}."] if deployment.measured else []
            found += [f"{deployment.derived[0].upper()}{deployment.derived[1:]}."] if deployment.derived else []
        return "\n".join(filter(None, found))

    def _offer_setups(self, name: str) -> None:
        if self.setup is not None:
            choices = [(NONE, "none"), *((one.name, one.name) for one in SETUPS)]
            self.setup.show_choices(choices, name)
