import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Change } from './history.js';
import type { Accepted } from './load.js';
import type { Acknowledged } from './people.js';

/** Everything that was seen from outside of one soak, and nothing else: what the checks judge. */
export interface Evidence {
  readonly accepted: readonly Accepted[];
  readonly acknowledged: readonly Acknowledged[];
  readonly jobs: readonly JobFacts[];
  readonly events: readonly EventFacts[];
  readonly decisions: readonly {
    readonly item_id: string;
    readonly identity: string;
    readonly outcome: string;
    readonly stale: boolean;
  }[];
  /** Event ids as the follower of `GET /events` was given them. */
  readonly followed: readonly string[];
  readonly calls: ReadonlyMap<string, number>;
  readonly lines: readonly EffectLine[];
  readonly history: readonly Change[];
  /** What callers were answered and should not have been, in sentences. */
  readonly problems: readonly string[];
}

export interface JobFacts {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly error: string | null;
  readonly topology: string;
  readonly attempt: number;
  readonly source: string;
}

/** A row of the log as it lies in the database. */
export interface EventFacts {
  readonly pos: number;
  readonly job_id: string;
  readonly seq: number;
  readonly event_id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly topology_id: string;
  readonly agent_id: string | null;
  readonly skill_id: string | null;
  readonly step_key: string | null;
  readonly payload: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** One line that a harness session wrote on the outside file. */
export interface EffectLine {
  readonly job: string;
  readonly step: string;
  readonly session: number;
  readonly worker: number;
  readonly atMs: number;
}

/** Runs that one worker process claimed, read from a lease's holder. */
export const holderPid = (holder: string | null): number | null => {
  if (holder === null) return null;
  const parsed: unknown = JSON.parse(holder);
  return typeof parsed === 'object' && parsed !== null && 'pid' in parsed && typeof parsed.pid === 'number'
    ? parsed.pid
    : null;
};

const EVENT_COLUMNS =
  'pos::int AS pos, job_id, seq::int AS seq, event_id, type, timestamp, topology_id, agent_id, skill_id, step_key, payload, prev_hash, hash';

/** @param audit the database that holds the log, where it is another one */
export async function readRows(
  client: pg.Client,
  audit: pg.Client = client,
): Promise<Pick<Evidence, 'jobs' | 'events' | 'decisions'>> {
  const jobs = await client.query<JobFacts>(
    'SELECT id, status, reason, error, topology, attempt::int AS attempt, source FROM kit.jobs',
  );
  const events = await audit.query<EventFacts>(`SELECT ${EVENT_COLUMNS} FROM kit.events ORDER BY kit.events.pos`);
  const decisions = await client.query<Evidence['decisions'][number]>(
    'SELECT item_id, identity, outcome, stale::int <> 0 AS stale FROM kit.decisions',
  );
  return { jobs: jobs.rows, events: events.rows, decisions: decisions.rows };
}

/**
 * The lines of all sessions. A line that was cut off in the midst is none: its writer was killed.
 */
export function readLines(file: string): readonly EffectLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [job = '', step = '', session, worker, atMs] = line.split(' ');
      return atMs === undefined
        ? []
        : [{ job, step, session: Number(session), worker: Number(worker), atMs: Number(atMs) }];
    });
}
