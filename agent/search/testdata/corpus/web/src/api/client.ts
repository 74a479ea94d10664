import type { Job, JobState } from "./types";

const POLL_INTERVAL_MS = 2_000;

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** Reads one page of jobs. The cursor is opaque; pass back what the last page gave. */
export async function listJobs(state: JobState, cursor?: string): Promise<{ jobs: Job[]; next?: string }> {
  const query = new URLSearchParams({ state });
  if (cursor) query.set("cursor", cursor);
  const response = await fetch(`/v1/jobs?${query}`, { headers: authorization() });
  if (!response.ok) {
    const body = await response.json();
    throw new ApiError(response.status, body.code, body.message);
  }
  return response.json();
}

/** Calls back with fresh counts until the signal aborts. */
export async function watchCounts(signal: AbortSignal, onCounts: (counts: Record<string, number>) => void) {
  while (!signal.aborted) {
    const response = await fetch("/v1/counts", { signal, headers: authorization() });
    onCounts(await response.json());
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

function authorization(): HeadersInit {
  // The token lives in session storage, so that it is gone when the tab is closed.
  return { Authorization: `Bearer ${sessionStorage.getItem("ferry.token") ?? ""}` };
}
