"""Finds the handler of a queue."""

from __future__ import annotations

from collections.abc import Callable

Handler = Callable[[dict], None]


class UnknownQueue(LookupError):
    """No handler was registered for the queue."""


class Registry:
    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def register(self, queue: str) -> Callable[[Handler], Handler]:
        """A decorator that makes a function the handler of a queue."""

        def decorate(handler: Handler) -> Handler:
            if queue in self._handlers:
                raise ValueError(f"queue {queue!r} has a handler already")
            self._handlers[queue] = handler
            return handler

        return decorate

    def handler_for(self, queue: str) -> Handler:
        try:
            return self._handlers[queue]
        except KeyError:
            raise UnknownQueue(queue) from None
