/** What of a job's row is the same from every entry point. */
export const SAME = [
  ...[
    'status',
    'waiting_status',
    'topology',
    'version',
    'input',
    'output',
    'reason',
    'error',
    'usage',
    'diff_length',
    'diffs_sha256',
    'labels',
  ],
  ...[
    'parent_job_id',
    'caller_job_id',
    'attempt',
    'crashes',
    'job_class',
    'priority',
    'engine',
    'needs',
    'snapshot',
    'waiting_on',
    'auto_resume',
    'wake_at',
  ],
  ...['stop_requested_at', 'stop_requested_by', 'attachments', 'parked_at', 'pruned_at', 'trace_parent'],
  ...['earlier_submitters', 'ungated', 'figures'],
] as const;
/**
 * What may differ, and why; each of these is compared with what the row of the entry point says.
 */
export const MAY_DIFFER: Readonly<Record<string, string>> = {
  source: 'names the entry point',
  submitted_by: 'names who came through it',
  submitted_assurance: 'says how that is known',
  submitted_name: 'the name for people of who came through it, where the entry point knows one',
  correlation_id: 'a conversation is one',
  recover: 'a server goes on by itself after a crash; what a person started is theirs to resume',
  timeout_ms: 'a server bounds its runs (server.jobs.timeout_seconds), a person types --timeout',
};
/** What is another for each run. */
export const OWN = [
  ...[
    'ord',
    'id',
    'worker_id',
    'lease_until',
    'holder',
    'executed_ms',
    'created_at',
    'claimed_at',
    'started_at',
    'completed_at',
  ],
] as const;

/**
 * Fields of `run.started` that name the entry point; everything else of every event is the same.
 */
export const OF_THE_ENTRY = ['trigger_source', 'submitted_by', 'client_name', 'assurance', 'submitted_from'] as const;

type Row = Readonly<Record<string, unknown>>;

export const pick = (row: Row, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, row[name]]));
export const drop = (row: Row, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

export const started = (events: readonly Row[]) => JSON.parse(String(events[0]?.payload)) as Record<string, unknown>;
export const neutral = (events: readonly Row[]) =>
  events.map((event) => ({
    ...event,
    payload: event.type === 'run.started' ? drop(started([event]), OF_THE_ENTRY) : JSON.parse(String(event.payload)),
  }));
