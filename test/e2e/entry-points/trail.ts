import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

type Row = Readonly<Record<string, unknown>>;

/** What stands in the store of a workspace, read past kit. */
export interface Trail {
  readonly job: (id: string) => Row;
  readonly jobCount: (source: string) => number;
  /** Events of a run in order, masked. */
  readonly events: (id: string) => readonly Row[];
  readonly correlationsOf: (id: string) => readonly unknown[];
  /** Steps of a run in order, masked: what was done, and what it took. */
  readonly steps: (id: string) => readonly Row[];
  /** Payloads of `trigger.fired` of a trigger, oldest first. */
  readonly firings: (trigger: string) => readonly Row[];
  /** Payloads of `input.rejected`, oldest first, with the topology. */
  readonly rejections: () => readonly Row[];
  readonly columns: (table: 'jobs' | 'events' | 'steps') => readonly string[];
}

/** Columns of an event that are its place in the log. */
export const PLACE_OF_EVENT = [
  'pos',
  'run',
  'job_id',
  'seq',
  'event_id',
  'timestamp',
  'prev_hash',
  'hash',
  'correlation_id',
] as const;
/** Columns of a step that are its place in the journal, and when it was. */
export const PLACE_OF_STEP = ['ord', 'run', 'job_id', 'step_id', 'started_at', 'ended_at', 'outcome_sha256'] as const;

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A measured time: the name says so. */
const MEASURED = /("[a-z_]*(?:duration|elapsed|latency)?_?(?:ms|seconds)":)\s*[\d.]+/gi;

/** Without what is another for each run: its id, drawn ids, instants and measured times. */
export const masked = (text: string, id: string): string =>
  text.replaceAll(id, '<run>').replace(UUID, '<uuid>').replace(ISO, '<time>').replace(MEASURED, '$1"<measured>"');

/** A row without its place, and masked. */
export function without(row: Row, names: readonly string[], id: string): Row {
  const kept = Object.entries(row).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, typeof value === 'string' ? masked(value, id) : value]));
}

export function openTrail(file: string): Trail {
  const read = (sql: string, ...values: readonly unknown[]): readonly Row[] => {
    if (!existsSync(file)) return [];
    const database = new Database(file, { readonly: true });
    try {
      return database.prepare(sql).all(...values) as Row[];
    } finally {
      database.close();
    }
  };
  const payloads = (type: string): readonly Row[] =>
    read('SELECT topology_id, payload FROM events WHERE type = ? ORDER BY pos', type).map(
      ({ topology_id, payload }) => ({
        topology_id,
        ...(JSON.parse(String(payload)) as Row),
      }),
    );
  return {
    job: (id) => read('SELECT * FROM jobs WHERE id = ?', id)[0] ?? {},
    jobCount: (source) => Number(read('SELECT count(*) AS n FROM jobs WHERE source = ?', source)[0]?.n),
    events: (id) =>
      read('SELECT * FROM events WHERE job_id = ? ORDER BY seq', id).map((row) => without(row, PLACE_OF_EVENT, id)),
    correlationsOf: (id) => [
      ...new Set(
        read('SELECT correlation_id FROM events WHERE job_id = ?', id).map(({ correlation_id }) => correlation_id),
      ),
    ],
    steps: (id) =>
      read('SELECT * FROM steps WHERE job_id = ? ORDER BY ord', id).map((row) => without(row, PLACE_OF_STEP, id)),
    firings: (trigger) => payloads('trigger.fired').filter((payload) => payload.trigger === trigger),
    rejections: () => payloads('input.rejected'),
    columns: (table) => read(`PRAGMA table_info(${table})`).map(({ name }) => String(name)),
  };
}
