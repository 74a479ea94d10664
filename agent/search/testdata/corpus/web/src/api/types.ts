export type JobState = "pending" | "running" | "done" | "failed" | "dead";

export interface Job {
  id: number;
  queue: string;
  state: JobState;
  attempt: number;
  maxAttempts: number;
  runAt: string;
  lastError?: string;
}
