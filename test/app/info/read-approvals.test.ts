import { expect, it } from 'vitest';
import { readApprovals } from '../../../src/app/info/read-approvals.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import type { EventLog } from '../../../src/domain/ports/event-log.js';
import { type AnySketch, storedEvents } from '../../support/stored-events.js';

const opened = (gate: string): AnySketch => ({
  type: 'approval.gate_opened',
  payload: {
    gate_id: gate,
    round: 0,
    artifact_ref: 'r',
    sha256: 'a'.repeat(64),
    policy_digest: 'b'.repeat(64),
    role_tasks: [],
    author: { identity: 'eve', assurance: 'asserted', identified: true },
  },
});
const approved = (gate: string): AnySketch => ({
  type: 'approval.gate_resolved',
  payload: { gate_id: gate, round: 0, status: 'approved', approvers: ['ada'], by: 'ada', comment: '', resumed: true },
});

/** A log of pages of ten, and how many events were read of it. */
function logOf(events: readonly StoredEvent[]) {
  const readEvents: StoredEvent[] = [];
  const given = (found: readonly StoredEvent[]) => {
    readEvents.push(...found);
    return found;
  };
  const log: Pick<EventLog, 'lookBack' | 'read'> = {
    lookBack: async ({ before = '999999', types }) => {
      const found = events
        .filter(({ pos, type }) => pos <= Number(before) && types?.includes(type))
        .toReversed()
        .slice(0, 10);
      const last = found.at(-1);
      return { events: given(found), before: found.length < 10 || last === undefined ? null : String(last.pos - 1) };
    },
    read: async ({ jobId, types }) => {
      const found = given(events.filter((event) => event.jobId === jobId && types?.includes(event.type)));
      return { events: found.map((event) => ({ ...event, cursor: '' })), nextCursor: '', hasMore: false };
    },
  };
  return { log, readEvents };
}

/** Gates of one run each, opened and approved one after the other, a second between two events. */
const manyGates = (count: number): readonly StoredEvent[] =>
  storedEvents(Array.from({ length: count }, (_, n) => [opened(`g${n}`), approved(`g${n}`)]).flat());

it('reads no more of the log than the approvals of the time that is asked for', async () => {
  const events = manyGates(500);
  const { log, readEvents } = logOf(events);

  const view = await readApprovals(log, { since: events.at(-6)?.timestamp ?? '', keep: 1000 });

  expect(view.approvals.map(({ gateId, latencyMs }) => [gateId, latencyMs])).toEqual([
    ['g497', 1000],
    ['g498', 1000],
    ['g499', 1000],
  ]);
  expect(readEvents.length).toBeLessThanOrEqual(20);
});

it('reads no more of the log than the newest approvals', async () => {
  const { log, readEvents } = logOf(manyGates(500));

  const view = await readApprovals(log, { since: '', keep: 12 });

  expect(view.approvals.map(({ gateId }) => gateId)).toEqual(Array.from({ length: 12 }, (_, n) => `g${488 + n}`));
  expect(readEvents.length).toBeLessThanOrEqual(30);
});

it('finds the opening of a round that was open long before that time', async () => {
  const [first, ...rest] = storedEvents([opened('old'), ...Array.from({ length: 40 }, (_, n) => opened(`g${n}`))]);
  const [last] = storedEvents([approved('old')]).map((event) => ({
    ...event,
    pos: 900,
    timestamp: '2030-02-02T03:04:05.000Z',
  }));
  const others = rest.map((event) => ({ ...event, jobId: 'fedcba987654', timestamp: '2030-01-20T00:00:00.000Z' }));
  const { log } = logOf([first, ...others, last].filter((event) => event !== undefined));

  const view = await readApprovals(log, { since: '2030-02-01T00:00:00.000Z', keep: 1000 });

  expect(view.approvals).toEqual([
    expect.objectContaining({ gateId: 'old', latencyMs: 31 * 24 * 60 * 60 * 1000, approvers: ['ada'] }),
  ]);
  expect(view.openedAt).toEqual({});
});
