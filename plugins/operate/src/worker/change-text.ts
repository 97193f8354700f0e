import { oneLine, type WorkChange } from '@kit-run/kit/command';

const ERROR_CHARS = 200;

/** What a worker says of a run, in one line. */
export function changeLine(change: WorkChange): string {
  const { id } = change.job;
  switch (change.kind) {
    case 'claimed': {
      const { topology, version, attempt } = change.job;
      const name = oneLine(version === null || topology.includes('@') ? topology : `${topology}@${version}`);
      return `claimed ${id} ${name}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    }
    case 'ended':
      return `finished ${id} ${change.status}${change.error === null ? '' : `: ${oneLine(change.error, ERROR_CHARS)}`}`;
    case 'parked':
      return `parked ${id}, it waits for ${change.waitingOn.map((waited) => oneLine(waited)).join(', ')}`;
    case 'waiting':
      return `let go of ${id}, it goes on when ${change.waitingOn.map((waited) => oneLine(waited)).join(', ')} has ended`;
    case 'given-back':
      return `gave ${id} back, it goes on where it is claimed next`;
    case 'lost':
      return change.why === null
        ? `lost the lease of ${id}, another process goes on with it`
        : `gave ${id} up for now, it is tried again: ${oneLine(change.why, ERROR_CHARS)}`;
  }
}

/** The same for programs. */
export function changeValue(change: WorkChange): Readonly<Record<string, unknown>> {
  const job_id = change.job.id;
  switch (change.kind) {
    case 'claimed': {
      const { topology, version, attempt, jobClass } = change.job;
      return { type: 'claimed', job_id, topology, version, attempt, class: jobClass };
    }
    case 'ended':
      return { type: 'finished', job_id, status: change.status, reason: change.reason, error: change.error };
    case 'parked':
      return { type: 'parked', job_id, waiting_on: [...change.waitingOn] };
    case 'waiting':
      return { type: 'waiting', job_id, waiting_on: [...change.waitingOn] };
    case 'given-back':
      return { type: 'given_back', job_id };
    case 'lost':
      return { type: 'lost', job_id, error: change.why };
  }
}
