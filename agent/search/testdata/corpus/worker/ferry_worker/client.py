"""Talks to the daemon over HTTP."""

from __future__ import annotations

import httpx


class LeaseLost(Exception):
    """Another worker has the job by now."""


class Client:
    """A thin client; one connection pool per process."""

    def __init__(self, base_url: str, token: str, read_timeout: float = 35.0) -> None:
        # Longer than the server's longest wait, or every quiet poll would be an error.
        timeout = httpx.Timeout(5.0, read=read_timeout)
        self._http = httpx.Client(base_url=base_url, timeout=timeout, headers={"Authorization": f"Bearer {token}"})

    def claim(self, queue: str, limit: int) -> list[dict]:
        response = self._http.post(f"/v1/queues/{queue}/claim", params={"limit": limit, "wait": 25})
        response.raise_for_status()
        return response.json()["jobs"]

    def heartbeat(self, job_id: int) -> None:
        response = self._http.post(f"/v1/jobs/{job_id}/heartbeat")
        if response.status_code == 409:
            raise LeaseLost(job_id)
        response.raise_for_status()

    def finish(self, job_id: int, error: str | None = None) -> None:
        self._http.post(f"/v1/jobs/{job_id}/finish", json={"error": error}).raise_for_status()
