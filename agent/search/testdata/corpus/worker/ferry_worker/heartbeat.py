"""Keeps the lease of a running job alive."""

from __future__ import annotations

import threading

from .client import Client, LeaseLost

# A third of the lease, so that two beats may be lost without losing the job.
BEAT_SECONDS = 10.0


class Heartbeat:
    """A context manager: beats in the background while the handler runs."""

    def __init__(self, client: Client, job_id: int) -> None:
        self._client = client
        self._job_id = job_id
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self.lost = False

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._done.wait(BEAT_SECONDS):
            try:
                self._client.heartbeat(self._job_id)
            except LeaseLost:
                self.lost = True
                return
