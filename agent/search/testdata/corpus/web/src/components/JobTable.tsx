import { useState } from "react";
import type { Job } from "../api/types";
import { formatAge } from "../format";

interface Props {
  jobs: Job[];
  onRequeue(job: Job): void;
}

/** Lists jobs; dead ones have a button that puts them back into their queue. */
export function JobTable({ jobs, onRequeue }: Props) {
  const [selected, setSelected] = useState<number | undefined>();
  return (
    <table>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id} aria-selected={job.id === selected} onClick={() => setSelected(job.id)}>
            <td>{job.queue}</td>
            <td>{formatAge(job.runAt)}</td>
            <td title={job.lastError}>{job.state}</td>
            <td>{job.state === "dead" && <button onClick={() => onRequeue(job)}>Requeue</button>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
