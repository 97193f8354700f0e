import { oneLine, type WorkNews } from '@kit-run/kit/command';

const ERROR_CHARS = 200;

/** What a worker says of a run, in one line. */
export function newsLine(news: WorkNews): string {
  const { id } = news.job;
  switch (news.kind) {
    case 'claimed': {
      const { topology, version, attempt } = news.job;
      const name = oneLine(version === null || topology.includes('@') ? topology : `${topology}@${version}`);
      return `claimed ${id} ${name}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    }
    case 'ended':
      return `finished ${id} ${news.status}${news.error === null ? '' : `: ${oneLine(news.error, ERROR_CHARS)}`}`;
    case 'parked':
      return `parked ${id}, it waits for ${news.waitingOn.map((waited) => oneLine(waited)).join(', ')}`;
    case 'waiting':
      return `let go of ${id}, it goes on when ${news.waitingOn.map((waited) => oneLine(waited)).join(', ')} has ended`;
    case 'given-back':
      return `gave ${id} back, it goes on where it is claimed next`;
    case 'lost':
      return news.why === null
        ? `lost the lease of ${id}, another process goes on with it`
        : `gave ${id} up for now, it is tried again: ${oneLine(news.why, ERROR_CHARS)}`;
  }
}

/** The same for programs. */
export function newsValue(news: WorkNews): Readonly<Record<string, unknown>> {
  const job_id = news.job.id;
  switch (news.kind) {
    case 'claimed': {
      const { topology, version, attempt, jobClass } = news.job;
      return { type: 'claimed', job_id, topology, version, attempt, class: jobClass };
    }
    case 'ended':
      return { type: 'finished', job_id, status: news.status, reason: news.reason, error: news.error };
    case 'parked':
      return { type: 'parked', job_id, waiting_on: [...news.waitingOn] };
    case 'waiting':
      return { type: 'waiting', job_id, waiting_on: [...news.waitingOn] };
    case 'given-back':
      return { type: 'given_back', job_id };
    case 'lost':
      return { type: 'lost', job_id, error: news.why };
  }
}
