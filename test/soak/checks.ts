import { chainText } from '../../src/domain/event-chain.js';
import type { RunEvent } from '../../src/domain/events.js';
import { sha256Hex } from '../../src/lib/sha256.js';
import type { EventFacts, Evidence } from './evidence.js';
import { checkClaims, checkLines, claimsOf } from './lease-checks.js';

/** One promise, and what was found to break it, in sentences. */
export interface Finding {
  readonly check: string;
  readonly violations: readonly string[];
}

/** Statuses from which nothing goes on by itself; nobody stops a run in a soak. */
const ENDED = ['completed', 'failed'];
/** A rejection by a person. */
const GATE_REJECTED = 'gate_rejected';
/**
 * A run whose workers died under it three times in one step: how many is told, and each has to have
 * died so often.
 */
const CRASH_LOOP = 'crash_loop';
const CRASHES = 3;

/** Judges a soak that is over. The order is that of the report. */
export function checkEvidence(evidence: Evidence): readonly Finding[] {
  const claims = claimsOf(evidence.history);
  return [
    { check: 'answers', violations: evidence.problems },
    { check: 'jobs lost', violations: lost(evidence) },
    { check: 'runs stranded', violations: stranded(evidence) },
    { check: 'runs failed without cause', violations: failed(evidence, claims) },
    { check: 'runs completed twice', violations: endedTwice(evidence) },
    { check: 'committed events lost', violations: eventsLost(evidence) },
    {
      check: 'event ids twice',
      violations: twice(evidence.events.map((event) => event.event_id)).map((id) => `event ${id} is in the log twice`),
    },
    { check: 'chain and numbers', violations: chain(evidence.events) },
    { check: 'the follower of the log', violations: follower(evidence) },
    { check: 'steps done twice', violations: stepsDoneTwice(evidence) },
    { check: 'decisions', violations: decisions(evidence) },
    { check: 'claims', violations: checkClaims(claims) },
    { check: 'side effects after the lease', violations: checkLines(evidence.lines, claims) },
    { check: 'sessions and model calls', violations: repetitions(evidence) },
  ];
}

function lost({ accepted, jobs }: Evidence): readonly string[] {
  const rows = new Set(jobs.map((job) => job.id));
  const ids = new Set(accepted.map(({ id }) => id));
  return [
    ...accepted.filter(({ id }) => !rows.has(id)).map(({ id }) => `run ${id} was accepted and has no row`),
    ...twice(accepted.map(({ id }) => id)).map((id) => `run ${id} was given to two submits`),
    ...jobs
      .filter(({ id }) => !ids.has(id))
      .map(({ id }) => `run ${id} was accepted for nobody: a submit was carried out twice`),
  ];
}

const stranded = ({ jobs }: Evidence): readonly string[] =>
  jobs
    .filter(({ status }) => !ENDED.includes(status))
    .map(({ id, status, error }) => `run ${id} is ${status} (${error})`);

function failed({ jobs, events }: Evidence, claims: ReturnType<typeof claimsOf>): readonly string[] {
  const rejected = new Set(
    events
      .filter(({ type, payload }) => type === 'approval.gate_resolved' && payload.includes('reject'))
      .map(({ job_id }) => job_id),
  );
  return jobs
    .filter(({ status }) => status === 'failed')
    .flatMap(({ id, reason, error }) => {
      if (reason === GATE_REJECTED)
        return rejected.has(id) ? [] : [`run ${id} failed for a rejection that nobody made`];
      if (reason === CRASH_LOOP) {
        const overrun = (claims.get(id) ?? []).filter((claim) => claim.howEnded === 'taken over').length;
        return overrun >= CRASHES ? [] : [`run ${id} failed with crash_loop, and its lease ran out ${overrun} times`];
      }
      return [`run ${id} failed: ${reason} (${error})`];
    });
}

function endedTwice({ jobs, events }: Evidence): readonly string[] {
  const ends = countBy(
    events.filter(({ type }) => type === 'run.ended'),
    ({ job_id }) => job_id,
  );
  return jobs
    .filter(({ id }) => ends.get(id) !== 1)
    .map(({ id, status }) => `run ${id} is ${status} and has ${ends.get(id) ?? 0} run.ended`);
}

/**
 * What the server committed at any time, or the follower was shown, is in the log at the end as it
 * was.
 */
function eventsLost({ history, events, followed }: Evidence): readonly string[] {
  const now = new Map(events.map((event) => [event.event_id, event.hash]));
  const committed = history.filter((change) => change.table === 'events');
  return [
    ...committed
      .filter(({ kind }) => kind !== 'INSERT')
      .map(({ kind, columns }) => `${kind} of event ${columns.event_id}`),
    ...committed
      .filter(({ kind, columns }) => kind === 'INSERT' && now.get(columns.event_id ?? '') !== columns.hash)
      .map(({ columns }) => `event ${columns.event_id} of run ${columns.job_id} was committed and is gone or changed`),
    ...followed.filter((id) => !now.has(id)).map((id) => `event ${id} was shown and is gone`),
  ];
}

function chain(events: readonly EventFacts[]): readonly string[] {
  const ends = new Map<string, { readonly seq: number; readonly hash: string }>();
  return events.flatMap((event) => {
    const before = ends.get(event.job_id) ?? { seq: 0, hash: '' };
    ends.set(event.job_id, event);
    const where = `event ${event.seq} of run ${event.job_id || '(none)'}`;
    return [
      ...(event.seq === before.seq + 1 ? [] : [`${where} comes after number ${before.seq}`]),
      ...(event.prev_hash === before.hash ? [] : [`${where} does not name the digest of the one before it`]),
      ...(event.hash === digestOf(event) ? [] : [`${where} is not what its digest was taken of`]),
    ];
  });
}

function digestOf(row: EventFacts): string {
  // The payload goes in as its stored text; the type is whatever the row says.
  const event = {
    eventId: row.event_id,
    type: row.type,
    timestamp: row.timestamp,
    topologyId: row.topology_id,
    agentId: row.agent_id,
    skillId: row.skill_id,
    stepKey: row.step_key,
  } as Omit<RunEvent, 'payload'>;
  return sha256Hex(
    chainText(event, { jobId: row.job_id, seq: row.seq, prevHash: row.prev_hash, payloadText: row.payload }),
  );
}

/**
 * A cursor neither skips nor repeats, whichever api it was taken from, and tells the order of the
 * log.
 */
function follower({ followed, events }: Evidence): readonly string[] {
  const seen = new Set(followed);
  const places = new Map(events.map((event, place) => [event.event_id, place]));
  const disorder = followed.findIndex(
    (id, n) => n > 0 && (places.get(id) ?? 0) < (places.get(followed[n - 1] ?? '') ?? 0),
  );
  return [
    ...twice(followed).map((id) => `event ${id} was shown twice`),
    ...events
      .filter(({ event_id }) => !seen.has(event_id))
      .map(({ event_id, type, job_id }) => `event ${event_id} (${type} of ${job_id}) was never shown`),
    ...(disorder < 0 ? [] : [`event ${followed[disorder]} was shown out of order`]),
  ];
}

/**
 * Events that tell the end of one step. A session that is left with its lease has an
 * `executor.result` of its own, which is not a success.
 */
const ENDS_OF_STEPS = ['model.called', 'agent.completed', 'skill.executed'];
const isEndOfStep = ({ type, payload }: EventFacts): boolean =>
  ENDS_OF_STEPS.includes(type) ||
  (type === 'executor.result' && (JSON.parse(payload) as { readonly status: string }).status === 'success');

function stepsDoneTwice({ events, history }: Evidence): readonly string[] {
  const reported = countBy(
    events.filter((event) => event.step_key !== null && isEndOfStep(event)),
    ({ job_id, type, step_key }) => `${type} of step ${step_key} of run ${job_id}`,
  );
  return [
    ...[...reported].filter(([, count]) => count > 1).map(([what, count]) => `${count} times ${what}`),
    ...resultsChanged(history),
  ];
}

/**
 * A recorded result is written once, and nothing of its step changes afterwards but its removal.
 */
function resultsChanged(history: Evidence['history']): readonly string[] {
  const ended = new Map<string, string>();
  return history.flatMap(({ table, kind, columns }) => {
    if (table !== 'steps' || kind === 'DELETE') return [];
    const step = `${columns.key} of run ${columns.job_id}`;
    const before = ended.get(step);
    if (columns.ended_at != null) ended.set(step, columns.ended_at);
    return before === undefined || before === columns.ended_at
      ? []
      : [`step ${step} ended at ${before} and again at ${columns.ended_at}`];
  });
}

function decisions({ acknowledged, decisions: rows }: Evidence): readonly string[] {
  const made = countBy(rows, ({ item_id, identity, outcome }) => `${outcome} of ${item_id} by ${identity}`);
  const valid = countBy(
    rows.filter(({ stale }) => !stale),
    ({ item_id }) => item_id,
  );
  return [
    ...acknowledged
      .map(({ item, by, outcome }) => `${outcome} of ${item} by ${by}`)
      .filter((one) => !made.has(one))
      .map((one) => `${one} was acknowledged and is not there`),
    ...[...valid].filter(([, count]) => count > 1).map(([item, count]) => `${item} was decided ${count} times`),
  ];
}

/** Each repetition of an effect is told by one `step.repeated`. */
function repetitions({ calls, lines, events }: Evidence): readonly string[] {
  const reported = countBy(
    events.filter(({ type }) => type === 'step.repeated'),
    // Its payload names the step, by its schema.
    ({ payload }) => (JSON.parse(payload) as { readonly step_id: string }).step_id,
  );
  const sessions = countBy(
    [...new Set(lines.map(({ step, session, worker }) => `${step} ${session} ${worker}`))],
    (one) => one.split(' ')[0] ?? '',
  );
  const beyond = (what: string, counts: ReadonlyMap<string, number>): readonly string[] =>
    [...counts]
      .filter(([step, count]) => count > 1 + (reported.get(step) ?? 0))
      .map(([step, count]) => `step ${step}: ${count} ${what}, ${reported.get(step) ?? 0} told repetitions`);
  return [...beyond('model calls', calls), ...beyond('sessions', sessions)];
}

function twice(ids: readonly string[]): readonly string[] {
  return [...countBy(ids, (id) => id)].filter(([, count]) => count > 1).map(([id]) => id);
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
