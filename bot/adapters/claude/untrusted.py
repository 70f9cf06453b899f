"""The forms that the provider's answers must have: nothing is converted, so that a wrong type is noticed."""

from pydantic import BaseModel, ConfigDict


class Untrusted(BaseModel):
    """What comes from the provider; more than the fields may come."""

    model_config = ConfigDict(strict=True, frozen=True)


class ToolInput(Untrusted):
    """What a tool was called with: the fields that it declares, and no other."""

    model_config = ConfigDict(extra="forbid")
