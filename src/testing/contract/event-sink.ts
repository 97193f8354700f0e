import type { LogEntry } from '../../domain/log-entry.js';
import type { RunTrace, TracePart } from '../../domain/ports/run-trace.js';
import type { SinkOutcome, SinkRun } from '../../domain/ports/sinks.js';
import { frozen, must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { answering, type ContractFixtures, type Network, SILENT, UNREACHABLE, type World } from './world.js';

/** What the suite is told about the contribution. */
export interface EventSinkFixtures extends ContractFixtures {
  /** An event that the sink passes on, where it does not take every one; default: run.started. */
  readonly event?: Pick<LogEntry, 'event_type' | 'payload'>;
}

type Sub = Subject<'eventSinks', EventSinkFixtures>;

/** An event as any run writes it. */
const ENTRY: LogEntry = {
  cursor: 'AQAAAAAAAAAB',
  event_id: '00000000-0000-4000-8000-000000000001',
  event_type: 'run.started',
  timestamp: '2026-01-02T03:04:05.000Z',
  run_id: '0123456789ab',
  topology_id: 'review',
  agent_id: null,
  skill_id: null,
  correlation_id: 'order-7',
  payload: { topology: 'review', submitted_by: 'ada' },
  labels: { team: 'a' },
};

/** A run that has just begun, and waited for nobody. */
const TRACE: Omit<RunTrace, 'parts'> = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  hasParent: false,
  isSampled: true,
  end: null,
  durationMs: null,
  runId: ENTRY.run_id,
  topology: ENTRY.topology_id,
  version: '1.0.0',
  correlationId: ENTRY.correlation_id,
  workspaceId: 'sample',
  labels: ENTRY.labels,
};

const PART: TracePart = {
  organisation: null,
  team: null,
  annotations: {},
  spans: [
    {
      spanId: 'b7ad6b7169203331',
      parentSpanId: '00f067aa0ba902b7',
      startMs: 0,
      endMs: 1,
      error: null,
      of: { type: 'queue' },
    },
  ],
  decisions: { allow: 0, deny: 0 },
};

const RUN: SinkRun = {
  links: null,
  traceParent: async () => `00-${TRACE.traceId}-b7ad6b7169203331-01`,
  trace: async () => ({
    ...frozen(TRACE),
    parts: async function* () {
      yield frozen(PART);
    },
  }),
};

const ASKED_NOBODY = 'it asked no server';

interface Attempt {
  readonly world: World;
  readonly outcome: Settled<SinkOutcome>;
}

/** One delivery. `stop`: who ends it while the server is silent. */
async function deliver(subject: Sub, network: Network, stop?: 'signal' | 'host'): Promise<Attempt> {
  const { world, instance: sink } = await openIn(subject, network);
  const entry = { ...ENTRY, ...subject.fixtures.event };
  const time = new AbortController();
  if (stop !== undefined) void world.asked.then(() => (stop === 'signal' ? time.abort() : world.abort()));
  return {
    world,
    outcome: await settled(() => sink.deliver(frozen(entry), time.signal, RUN), world.deadlineMs, 'deliver'),
  };
}

/** The kind of an outcome; a throw is none. What was promised is not always what is given. */
function kindOf({ outcome }: Attempt): SinkOutcome['kind'] {
  must(
    outcome.how === 'value',
    `deliver threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}; an outcome is a value`,
  );
  const { kind } = outcome.value ?? {};
  must(
    kind === 'delivered' || kind === 'rejected' || kind === 'failed',
    `deliver answered ${JSON.stringify(outcome.value)}`,
  );
  if (outcome.value.kind !== 'delivered')
    must(typeof outcome.value.detail === 'string' && outcome.value.detail !== '', `${kind} comes without a detail`);
  return kind;
}

async function comesTo(
  subject: Sub,
  network: Network,
  wanted: SinkOutcome['kind'],
  stop?: 'signal' | 'host',
): Promise<string | null> {
  const attempt = await deliver(subject, network, stop);
  const kind = kindOf(attempt);
  if (attempt.world.requests.length === 0 && wanted !== 'delivered') return ASKED_NOBODY;
  must(kind === wanted, `deliver answered ${kind}, not ${wanted}`);
  return null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  for (const network of [UNREACHABLE, answering(400, 'no ', { echo: true }), answering(500, 'oops ', { echo: true })]) {
    const { world, outcome } = await deliver(subject, network);
    world.mustHideSecrets(outcome.how === 'error' ? { 'its error': outcome.error } : { 'its outcome': outcome.value });
  }
  return null;
}

/**
 * The contract of `eventSinks`: what the background delivery of events relies on. Cases run one
 * after the other.
 */
export const eventSinkConformance = conformanceOf<'eventSinks', EventSinkFixtures>('eventSinks', {
  'delivers an event that its receiver takes, and leaves it as it was given': (subject) =>
    comesTo(subject, answering(200, '{}'), 'delivered'),
  'rejects an event that its receiver refuses': (subject) => comesTo(subject, answering(400, 'no'), 'rejected'),
  'fails when its receiver is broken': (subject) => comesTo(subject, answering(500, 'oops'), 'failed'),
  'fails when its receiver cannot be reached': (subject) => comesTo(subject, UNREACHABLE, 'failed'),
  'ends soon when its time is over while its receiver is silent': (subject) =>
    comesTo(subject, SILENT, 'failed', 'signal'),
  'ends soon when the host is disposed while its receiver is silent': (subject) =>
    comesTo(subject, SILENT, 'failed', 'host'),
  'shows no secret in an outcome or its log': hidesSecrets,
});
