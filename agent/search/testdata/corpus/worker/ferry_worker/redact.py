"""Removes secrets from payloads before they are logged."""

import re

SECRET_KEYS = {"password", "token", "authorization", "api_key"}
CARD_NUMBER = re.compile(r"\b(?:\d[ -]?){13,16}\b")


def redact(value):
    """Returns a copy of value without secrets; it never changes its argument."""
    if isinstance(value, dict):
        return {key: "***" if key.lower() in SECRET_KEYS else redact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, str):
        return CARD_NUMBER.sub("[card]", value)
    return value
