import { describe, expect, it } from 'vitest';
import { chainText } from '../../src/domain/event-chain.js';
import type { RunEvent } from '../../src/domain/events.js';
import { sha256Hex } from '../../src/lib/sha256.js';
import { checkEvidence } from './checks.js';
import type { EventFacts, Evidence } from './evidence.js';
import { type Change, parseChange } from './history.js';

const AT_MS = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number): string => new Date(AT_MS + ms).toISOString();
const holder = (pid: number): string => JSON.stringify({ hostname: 'here', bootId: 'b', pid, processStart: '1' });

const row = (over: Readonly<Record<string, string | null>>): Change => ({
  table: 'jobs',
  kind: 'UPDATE',
  columns: { crashes: '0', ...over },
});
const held = (job: string, attempt: number, over: Readonly<Record<string, string | null>> = {}): Change =>
  row({
    id: job,
    status: 'running',
    worker_id: `w${attempt}`,
    attempt: String(attempt),
    holder: holder(100 + attempt),
    claimed_at: at(10_000 * (attempt - 1)),
    lease_until: at(10_000 * (attempt - 1) + 5_000),
    ...over,
  });
const waiting = (job: string, attempt: number, crashes = 0): Change =>
  row({
    id: job,
    status: 'pending',
    attempt: String(attempt),
    worker_id: null,
    lease_until: null,
    crashes: String(crashes),
  });
const over = (job: string, attempt: number, status = 'completed'): Change =>
  row({ id: job, status, attempt: String(attempt), lease_until: null });
const stepEnd = (job: string, key: string, ended: string): Change => ({
  table: 'steps',
  kind: 'UPDATE',
  columns: { job_id: job, key, ended_at: ended },
});

/** A chain of events of these types, as the store would write it. */
function chainOf(
  job: string,
  types: readonly { readonly type: string; readonly step?: string; readonly payload?: string }[],
  firstPos: number,
): EventFacts[] {
  const events: EventFacts[] = [];
  for (const [index, { type, step = null, payload = '{}' }] of types.entries()) {
    const facts = {
      topology_id: 'plain',
      agent_id: null,
      skill_id: null,
      step_key: step,
      payload,
      timestamp: at(index),
    };
    const event = {
      pos: firstPos + index,
      job_id: job,
      seq: index + 1,
      event_id: `${job}-${index}`,
      type,
      prev_hash: events.at(-1)?.hash ?? '',
      ...facts,
    };
    events.push({ ...event, hash: hashOf(event) });
  }
  return events;
}

function hashOf(event: Omit<EventFacts, 'hash'>): string {
  const { event_id, type, timestamp, topology_id, step_key } = event;
  const named = {
    eventId: event_id,
    type,
    timestamp,
    topologyId: topology_id,
    agentId: null,
    skillId: null,
    stepKey: step_key,
  };
  const link = { jobId: event.job_id, seq: event.seq, prevHash: event.prev_hash, payloadText: event.payload };
  return sha256Hex(chainText(named as Omit<RunEvent, 'payload'>, link));
}

/**
 * Two runs: one whose worker was taken over in the midst of a step, and one that a person rejected.
 */
function sound(): Evidence {
  const repeated = JSON.stringify({ step_id: 's1' });
  const one = chainOf(
    'one',
    [
      { type: 'run.started' },
      { type: 'step.repeated', payload: repeated },
      { type: 'model.called', step: 'root/t0' },
      { type: 'run.ended' },
    ],
    1,
  );
  const two = chainOf(
    'two',
    [
      { type: 'run.started' },
      { type: 'approval.gate_resolved', payload: '{"outcome":"reject"}' },
      { type: 'run.ended' },
    ],
    5,
  );
  const events = [...one, ...two];
  const inserted = events.map(
    (event): Change => ({
      table: 'events',
      kind: 'INSERT',
      columns: { event_id: event.event_id, job_id: event.job_id, hash: event.hash },
    }),
  );
  const job = { error: null, topology: 'plain', source: 'serve' };
  return {
    accepted: [
      { id: 'one', kind: 'plain' },
      { id: 'two', kind: 'gated' },
    ],
    acknowledged: [{ item: 'item', by: 'ops-1', outcome: 'reject' }],
    jobs: [
      { ...job, id: 'one', status: 'completed', reason: null, attempt: 2 },
      { ...job, id: 'two', status: 'failed', reason: 'gate_rejected', attempt: 1 },
    ],
    events,
    decisions: [{ item_id: 'item', identity: 'ops-1', outcome: 'reject', stale: false }],
    followed: events.map((event) => event.event_id),
    calls: new Map([['s1', 2]]),
    lines: [
      { job: 'one', step: 's1', session: 7, worker: 101, atMs: AT_MS + 3_000 },
      { job: 'one', step: 's1', session: 8, worker: 102, atMs: AT_MS + 12_000 },
    ],
    history: [
      ...inserted,
      held('one', 1),
      waiting('one', 1, 1),
      held('one', 2, { crashes: '1' }),
      stepEnd('one', 'root/t0', at(13_000)),
      over('one', 2),
      held('two', 1),
      over('two', 1, 'failed'),
    ],
    problems: [],
  };
}

const first = <T>(items: readonly T[]): T => {
  const [item] = items;
  if (item === undefined) throw new Error('there is none');
  return item;
};
const withEvent = (evidence: Evidence, n: number, change: Partial<EventFacts>): Evidence => ({
  ...evidence,
  events: evidence.events.map((event, index) => (index === n ? { ...event, ...change } : event)),
});
const claimedAgain = (evidence: Evidence, changes: readonly Change[]): Evidence => ({
  ...evidence,
  history: [...evidence.history.filter(({ table }) => table !== 'jobs'), ...changes],
});

/** What is done to sound evidence, and the check that has to see it. */
const DOCTORED: readonly {
  readonly what: string;
  readonly check: string;
  readonly doctor: (evidence: Evidence) => Evidence;
}[] = [
  {
    what: 'an answer with 500',
    check: 'answers',
    doctor: (e) => ({ ...e, problems: ['GET /events was answered with 500'] }),
  },
  {
    what: 'a run without a row',
    check: 'jobs lost',
    doctor: (e) => ({ ...e, accepted: [...e.accepted, { id: 'gone', kind: 'plain' }] }),
  },
  {
    what: 'two submits with one run',
    check: 'jobs lost',
    doctor: (e) => ({ ...e, accepted: [...e.accepted, { id: 'one', kind: 'plain' }] }),
  },
  { what: 'a run that nobody submitted', check: 'jobs lost', doctor: (e) => ({ ...e, accepted: e.accepted.slice(1) }) },
  {
    what: 'a run that still waits',
    check: 'runs stranded',
    doctor: (e) => ({ ...e, jobs: e.jobs.map((job) => (job.id === 'one' ? { ...job, status: 'pending' } : job)) }),
  },
  {
    what: 'a run that failed',
    check: 'runs failed without cause',
    doctor: (e) => ({
      ...e,
      jobs: e.jobs.map((job) => (job.id === 'one' ? { ...job, status: 'failed', reason: 'internal_error' } : job)),
    }),
  },
  {
    what: 'a crash loop of one crash',
    check: 'runs failed without cause',
    doctor: (e) => ({
      ...e,
      jobs: e.jobs.map((job) => (job.id === 'one' ? { ...job, status: 'failed', reason: 'crash_loop' } : job)),
    }),
  },
  {
    what: 'a rejection that nobody made',
    check: 'runs failed without cause',
    doctor: (e) => ({
      ...e,
      jobs: e.jobs.map((job) => (job.id === 'one' ? { ...job, status: 'failed', reason: 'gate_rejected' } : job)),
    }),
  },
  { what: 'a second end', check: 'runs completed twice', doctor: (e) => withEvent(e, 2, { type: 'run.ended' }) },
  { what: 'no end', check: 'runs completed twice', doctor: (e) => withEvent(e, 3, { type: 'model.called' }) },
  {
    what: 'a committed event that is gone',
    check: 'committed events lost',
    doctor: (e) => ({ ...e, events: e.events.slice(0, -1) }),
  },
  {
    what: 'a committed event that was changed',
    check: 'committed events lost',
    doctor: (e) => withEvent(e, 1, { hash: 'other' }),
  },
  {
    what: 'an event that was shown and is gone',
    check: 'committed events lost',
    doctor: (e) => ({ ...e, followed: [...e.followed, 'ghost'] }),
  },
  {
    what: 'an event that was deleted',
    check: 'committed events lost',
    doctor: (e) => ({ ...e, history: [...e.history, { table: 'events', kind: 'DELETE', columns: {} }] }),
  },
  {
    what: 'one id at two places',
    check: 'event ids twice',
    doctor: (e) => ({ ...e, events: [...e.events, first(e.events)] }),
  },
  { what: 'a number that is left out', check: 'chain and numbers', doctor: (e) => withEvent(e, 1, { seq: 3 }) },
  {
    what: 'a digest that names another event',
    check: 'chain and numbers',
    doctor: (e) => withEvent(e, 1, { prev_hash: 'x' }),
  },
  {
    what: 'a payload that was edited',
    check: 'chain and numbers',
    doctor: (e) => withEvent(e, 0, { payload: '{"x":1}' }),
  },
  {
    what: 'an event that was shown twice',
    check: 'the follower of the log',
    doctor: (e) => ({ ...e, followed: [...e.followed, first(e.followed)] }),
  },
  {
    what: 'an event that was skipped',
    check: 'the follower of the log',
    doctor: (e) => ({ ...e, followed: e.followed.slice(1) }),
  },
  {
    what: 'events out of order',
    check: 'the follower of the log',
    doctor: (e) => ({ ...e, followed: e.followed.toReversed() }),
  },
  {
    what: 'a step that is told as done twice',
    check: 'steps done twice',
    doctor: (e) => withEvent(e, 1, { type: 'model.called', step_key: 'root/t0' }),
  },
  {
    what: 'a result that was written twice',
    check: 'steps done twice',
    doctor: (e) => ({ ...e, history: [...e.history, stepEnd('one', 'root/t0', at(14_000))] }),
  },
  {
    what: 'a decision that was acknowledged and is gone',
    check: 'decisions',
    doctor: (e) => ({ ...e, decisions: [] }),
  },
  {
    what: 'an item that was decided twice',
    check: 'decisions',
    doctor: (e) => ({ ...e, decisions: [...e.decisions, { ...first(e.decisions), identity: 'ops-2' }] }),
  },
  {
    what: 'a claim of what is held',
    check: 'claims',
    doctor: (e) => claimedAgain(e, [held('one', 1), held('one', 2), over('one', 2)]),
  },
  {
    what: 'a number of claims that is left out',
    check: 'claims',
    doctor: (e) => claimedAgain(e, [held('one', 1), waiting('one', 1), held('one', 3)]),
  },
  {
    what: 'a takeover before the lease was over',
    check: 'claims',
    doctor: (e) =>
      claimedAgain(e, [held('one', 1), waiting('one', 1, 1), held('one', 2, { claimed_at: at(4_000), crashes: '1' })]),
  },
  {
    what: 'a line after the lease',
    check: 'side effects after the lease',
    doctor: (e) => ({ ...e, lines: [...e.lines, { ...first(e.lines), atMs: AT_MS + 5_001 }] }),
  },
  {
    what: 'a line after the next attempt began',
    check: 'side effects after the lease',
    doctor: (e) => ({
      ...claimedAgain(e, [
        held('one', 1),
        waiting('one', 1),
        held('one', 2, { claimed_at: at(4_000) }),
        over('one', 2),
      ]),
      lines: [{ ...first(e.lines), atMs: AT_MS + 4_500 }],
    }),
  },
  {
    what: 'a line by a process that had no claim',
    check: 'side effects after the lease',
    doctor: (e) => ({ ...e, lines: [{ ...first(e.lines), worker: 99 }] }),
  },
  {
    what: 'a line of a session whose worker died at its start, under the lease of the next one',
    check: 'side effects after the lease',
    doctor: (e) => ({ ...e, lines: [...e.lines, { ...first(e.lines), session: 6, worker: 1, atMs: AT_MS + 12_500 }] }),
  },
  {
    what: 'a model call that nobody told of',
    check: 'sessions and model calls',
    doctor: (e) => ({ ...e, calls: new Map([['s1', 3]]) }),
  },
  {
    what: 'a session that nobody told of',
    check: 'sessions and model calls',
    doctor: (e) => ({ ...e, lines: [...e.lines, { ...first(e.lines), session: 9 }] }),
  },
];

describe('the checks of a soak', () => {
  it('find nothing where nothing is wrong', () => {
    expect(checkEvidence(sound()).filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it('take a session that came too late to read who its worker was for one of the claim of that moment', () => {
    const { lines } = sound();

    expect(
      checkEvidence({ ...sound(), lines: [{ ...first(lines), worker: 1 }, ...lines.slice(1)] }).filter(
        ({ violations }) => violations.length > 0,
      ),
    ).toEqual([]);
  });

  it.each(DOCTORED)('see $what', ({ check, doctor }) => {
    const found = checkEvidence(doctor(sound())).filter(({ violations }) => violations.length > 0);

    expect(found.map((finding) => finding.check)).toContain(check);
  });

  it('have each been seen to fail', () => {
    expect([...new Set(DOCTORED.map(({ check }) => check))].toSorted()).toEqual(
      checkEvidence(sound())
        .map(({ check }) => check)
        .toSorted(),
    );
  });
});

describe('a line of the decoded log of the server', () => {
  it('is read to its end, whatever its texts hold', () => {
    const line = `table kit.events: INSERT: pos[bigint]:7 "timestamp"[text]:'2026' payload[text]:'{"a":"it''s: x[text]:1 "}' labels[text]:null hash[text]:'h'`;

    expect(parseChange(line)).toEqual({
      table: 'events',
      kind: 'INSERT',
      columns: { pos: '7', timestamp: '2026', payload: `{"a":"it's: x[text]:1 "}`, labels: null, hash: 'h' },
    });
  });

  it('leaves out what did not change and lies apart, and is refused when it is not understood', () => {
    expect(
      parseChange("table kit.jobs: UPDATE: id[text]:'a' input[text]:unchanged-toast-datum ord[bigint]:1")?.columns,
    ).toEqual({
      id: 'a',
      ord: '1',
    });
    expect(parseChange("table kit.blobs: INSERT: sha256[text]:'x'")).toBeNull();
    expect(() => parseChange("table kit.jobs: UPDATE: old-key: id[text]:'a' new-tuple: id[text]:'b'")).toThrow(
      'not understood',
    );
  });
});
