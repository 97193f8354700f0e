// A database of runs at one moment, as `toWireFleet` makes it; times in seconds.
import { QUEUE_STATS } from './job.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
  INTEGER,
  NUMBER,
  nullable,
  oneOf,
  recordOf,
  STRING,
  TEXT_OR_NULL,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

const MEMBER = closed({
  id: described(STRING, '`<host>:<pid>:<random>`, as worker ids are.'),
  kind: described(
    oneOf(['server', 'api', 'worker']),
    '`server` accepts and executes, `api` accepts only, `worker` executes only.',
  ),
  hostname: STRING,
  pid: INTEGER,
  version: STRING,
  engine: described(INTEGER, 'Journals that it can go on from.'),
  job_class: oneOf(['model', 'harness', 'any']),
  concurrency: described(INTEGER, 'Runs that it executes at once; 0: it claims none.'),
  active: INTEGER,
  offers: closed({
    plugins: described(recordOf(STRING), 'Name -> version.'),
    adapters: described(recordOf(STRING), 'Id -> digest of what it launches.'),
    workspace: TEXT_OR_NULL,
  }),
  started_at: described(TIMESTAMP, "By the process's own clock."),
  beat_at: described(TIMESTAMP, "By the store's clock."),
  silent_seconds: NUMBER,
  alive: BOOLEAN,
});

const RUN = closed({
  id: STRING,
  topology: STRING,
  version: TEXT_OR_NULL,
  agent_id: described(TEXT_OR_NULL, 'The agent that does something now.'),
  activity: described(TEXT_OR_NULL, '`thinking`, `tools`, `delegating`, `harness`, `correcting`.'),
  activity_label: described(TEXT_OR_NULL, "Tool, child or adapter; '' = it has no name."),
  waits: described(
    arrayOf(closed({ agent_id: TEXT_OR_NULL, reason: STRING, until: nullable(TIMESTAMP) })),
    'Steps that wait for a provider or a server: the first of them.',
  ),
  waits_total: INTEGER,
  elapsed_seconds: NUMBER,
  usage: closed({
    input_tokens: INTEGER,
    output_tokens: INTEGER,
    cost_usd: described(nullable(NUMBER), 'USD; null = part of it is unknown.'),
  }),
  worker_id: TEXT_OR_NULL,
  started_at: nullable(TIMESTAMP),
});

const WAITING = closed({
  id: STRING,
  kind: STRING,
  gate_id: TEXT_OR_NULL,
  role: described(TEXT_OR_NULL, 'Who may decide; null: whoever may decide at all.'),
  job_id: STRING,
  topology: STRING,
  age_seconds: NUMBER,
});

/** `GET /fleet`. */
export const FLEET = closed({
  at: TIMESTAMP,
  store_ahead_seconds: described(NUMBER, "How far the store's clock is ahead of this process's."),
  queue: QUEUE_STATS,
  members: described(nullable(arrayOf(MEMBER)), 'The living first; null: they could not be read.'),
  members_total: nullable(INTEGER),
  runs: described(arrayOf(RUN), 'What runs now.'),
  runs_total: INTEGER,
  waiting: described(arrayOf(WAITING), 'What people have to decide.'),
  waiting_total: INTEGER,
});
export type WireFleet = TypeOf<typeof FLEET>;
