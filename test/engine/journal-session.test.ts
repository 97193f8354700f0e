import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Usage } from '../../src/domain/job.js';
import type { RunWrite, StepRow } from '../../src/domain/journal.js';
import { JournalSession } from '../../src/engine/journal-session.js';
import { SpentSoFar } from '../../src/govern/spent.js';

it('a session that is left sends what was recorded, takes nothing after it, and calls that no failure', async () => {
  const sent: RunWrite[] = [];
  const broken: unknown[] = [];
  const session = new JournalSession({
    rows: [],
    commit: async (batches) => sent.push(...batches.flat()),
    onBroken: (error) => broken.push(error),
    defer: () => undefined,
  });
  const start = (key: string): Extract<RunWrite, { op: 'step.started' }> =>
    // Nothing else of a row is read here.
    ({
      op: 'step.started',
      row: { key, agentId: null, units: 0, usage: null } as Partial<StepRow> as StepRow,
    }) as Extract<RunWrite, { op: 'step.started' }>;

  session.start(start('before'));
  session.leave();
  session.start(start('after'));

  await expect(session.flush()).rejects.toThrow();
  expect(sent.map((write) => write.op === 'step.started' && write.row.key)).toEqual(['before']);
  expect(broken).toEqual([]);
});

const openSession = (rows: readonly StepRow[]): JournalSession =>
  new JournalSession({
    rows,
    commit: async () => undefined,
    onBroken: () => undefined,
    defer: () => undefined,
  });

const KEYS = ['x', 'y', 'z'] as const;

interface AWrite {
  readonly op: 'start' | 'note' | 'end';
  readonly key: (typeof KEYS)[number];
  readonly agentId: 'a' | 'b' | null;
  readonly units: number;
  /** undefined: it reports no usage. */
  readonly costUsd: number | null | undefined;
}

const aWrite: fc.Arbitrary<AWrite> = fc.record({
  op: fc.constantFrom('start', 'note', 'end'),
  key: fc.constantFrom(...KEYS),
  agentId: fc.constantFrom('a', 'b', null),
  units: fc.nat(2),
  costUsd: fc.option(fc.option(fc.double({ min: 0, max: 10, noNaN: true })), { nil: undefined }),
});

it('knows after any starts, notes and ends what its rows have consumed, as the next claim does', () => {
  fc.assert(
    fc.property(fc.array(aWrite), (writes) => {
      const session = openSession([]);
      for (const write of writes) carryOut(session, write);

      const rows = [...session.all()];
      for (const spent of [new SpentSoFar(rows), openSession(rows).spent]) {
        expect(session.spent.steps).toBe(spent.steps);
        expect(session.spent.costUsd).toBe(spent.costUsd);
        for (const agentId of ['a', 'b']) expect(session.spent.stepsOf(agentId)).toBe(spent.stepsOf(agentId));
      }
    }),
  );
});

function carryOut(session: JournalSession, write: AWrite): void {
  const { op, key, agentId, units, costUsd } = write;
  if (op === 'start') session.start({ op: 'step.started', row: rowOf({ key, agentId, units }), events: [] });
  else if (session.get(key) === undefined) return;
  else if (op === 'note') void session.note({ op: 'step.noted', key, notes: {}, events: [] });
  else session.end({ op: 'step.ended', key, ...END, usage: usageOf(costUsd), units });
}

const END = { outcome: { status: 'ok', value: null }, endedAt: new Date(0).toISOString(), events: [] } as const;

const usageOf = (costUsd: number | null | undefined): Usage | null =>
  costUsd === undefined ? null : { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd };

const rowOf = (of: Pick<StepRow, 'key' | 'agentId' | 'units'>): StepRow => ({
  ...of,
  jobId: 'job',
  kind: 'model',
  identity: '',
  effects: 'read',
  onInDoubt: 'repeat',
  attempt: 1,
  stepId: of.key,
  outcome: null,
  notes: {},
  usage: null,
  startedAt: new Date(0).toISOString(),
  endedAt: null,
});
