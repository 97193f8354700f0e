import { describe, expect, it } from 'vitest';
import { choosePoints, oneOfEachFirst } from '../../../src/app/doctor/crash/choose-points.js';
import { compareRuns, type RunRecord } from '../../../src/app/doctor/crash/compare-runs.js';
import {
  type CaseEnd,
  type CrashCase,
  type CrashPlace,
  enumerateCrashes,
} from '../../../src/app/doctor/crash/enumerate-crashes.js';
import { PROBE_MS, runProbes } from '../../../src/app/doctor/run-probes.js';
import { type CrashPoint, type CrashReport, hasRecovered } from '../../../src/view/doctor-report.js';

const event = (
  seq: number,
  type: string,
  over: Partial<RunRecord['events'][number]> = {},
): RunRecord['events'][number] => ({
  eventId: `e${seq}`,
  type: type as 'run.started',
  agentId: null,
  skillId: null,
  stepKey: null,
  seq,
  prevHash: seq === 1 ? '' : `h${seq - 1}`,
  hash: `h${seq}`,
  ...over,
});
const RUN: RunRecord = {
  status: 'completed',
  reason: null,
  output: 'done',
  steps: [{ key: 'root/t0', kind: 'model', identity: 'i', outcome: { status: 'success' } as never }],
  events: [event(1, 'run.started'), event(2, 'model.responded'), event(3, 'run.ended')],
  decisions: ['item qa approve s'],
};
const SHOWN = [{ eventId: 'e1', hash: 'h1' }];

describe('a run that was killed, beside one that nobody killed,', () => {
  it('has nothing against it when both came to the same end', () => {
    expect(compareRuns(RUN, RUN, SHOWN)).toEqual({ violations: [], repeated: 0, lost: 0 });
  });

  it('may have episodes and repetitions of its own', () => {
    const events = ['run.started', 'run.ended', 'run.resumed', 'step.repeated', 'model.responded', 'run.ended'].map(
      (type, index) => event(index + 1, type),
    );
    expect(compareRuns({ ...RUN, events }, RUN, SHOWN)).toEqual({ violations: [], repeated: 1, lost: 0 });
  });

  it.each<[string, Partial<RunRecord>, RegExp]>([
    ['an output that differs', { output: 'other' }, /^it ended with/],
    ['a status that differs', { status: 'failed' }, /^it ended with/],
    ['a step that is gone', { steps: [] }, /^step root\/t0 .*0 times instead of 1/],
    ['a step twice', { steps: [...RUN.steps, ...RUN.steps] }, /^step .*2 times instead of 1/],
    [
      'an event twice',
      {
        events: [
          event(1, 'run.started'),
          event(2, 'model.responded'),
          event(3, 'model.responded'),
          event(4, 'run.ended'),
        ],
      },
      /^event model\.responded/,
    ],
    ['a decision that is gone', { decisions: [] }, /^decision/],
    ['two ends', { events: [...RUN.events, event(4, 'run.ended')] }, /^the episodes of the run are/],
    [
      'a hole in its numbers',
      { events: RUN.events.map((one, index) => ({ ...one, seq: index === 2 ? 4 : one.seq })) },
      /does not follow the one before/,
    ],
    [
      'a broken chain',
      { events: RUN.events.map((one, index) => ({ ...one, prevHash: index === 2 ? 'x' : one.prevHash })) },
      /does not follow the one before/,
    ],
  ])('is found with %s', (_what, over, expected) => {
    expect(compareRuns({ ...RUN, ...over }, RUN, []).violations).toContainEqual(expect.stringMatching(expected));
  });

  it('has lost what was shown and is gone, or is there with other bytes', () => {
    const shown = [
      { eventId: 'e2', hash: 'h2' },
      { eventId: 'e9', hash: 'h9' },
      { eventId: 'e3', hash: 'other' },
    ];
    expect(compareRuns(RUN, RUN, shown)).toMatchObject({
      lost: 2,
      violations: [expect.stringContaining('e9'), expect.stringContaining('e3')],
    });
  });
});

describe('the choice of fault points', () => {
  const points: readonly CrashPoint[] = ['a', 'a', 'a', 'b', 'a', 'c', 'b', 'a'].map((name, index) => ({
    name,
    nth: index,
  }));

  it('is all of them, or a share that the seed decides, at least one', () => {
    expect(choosePoints(points, { seed: 1, share: 1 })).toHaveLength(points.length);
    expect(choosePoints(points, { seed: 1, share: 0.5 })).toHaveLength(4);
    expect(choosePoints(points, { seed: 1, share: 0.001 })).toHaveLength(1);
    expect(choosePoints(points, { seed: 7, share: 0.5 })).toEqual(choosePoints(points, { seed: 7, share: 0.5 }));
    const orders = [1, 2, 3, 4].map((seed) => JSON.stringify(choosePoints(points, { seed, share: 1 })));
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  it('takes each name once before any name twice, and none away', () => {
    const ordered = oneOfEachFirst(points);
    expect(new Set(ordered.slice(0, 3).map(({ name }) => name)).size).toBe(3);
    expect(new Set(ordered)).toEqual(new Set(points));
  });
});

describe('the enumeration', () => {
  const POINTS: readonly CrashPoint[] = ['w:before', 'w:after', 'x:before', 'x:after'].map((name) => ({
    name,
    nth: 1,
  }));
  interface Fate {
    readonly first?: CaseEnd;
    readonly second?: CaseEnd;
    readonly record?: RunRecord | null;
    readonly shown?: readonly { readonly eventId: string; readonly hash: string }[];
  }

  function place(fateOf: (point: string, tried: number) => Fate = () => ({})) {
    const open = { now: 0, ever: 0 };
    const tries = new Map<string, number>();
    const made: CrashPlace = {
      store: 'sqlite',
      open: async (): Promise<CrashCase> => {
        open.now += 1;
        open.ever += 1;
        let fate: Fate = {};
        let isDisposed = false;
        return {
          run: async (point) => {
            if (point === null) return fate.second ?? { kind: 'carried' };
            const tried = (tries.get(point.name) ?? 0) + 1;
            tries.set(point.name, tried);
            fate = fateOf(point.name, tried);
            return fate.first ?? { kind: 'killed' };
          },
          hits: async () => POINTS,
          shown: async () => fate.shown ?? SHOWN,
          record: async () => (fate.record === undefined ? RUN : fate.record),
          dispose: async () => {
            if (!isDisposed) open.now -= 1;
            isDisposed = true;
          },
        };
      },
    };
    return { made, open };
  }

  const run = (made: CrashPlace, over: { readonly signal?: AbortSignal; readonly seen?: CrashReport[] } = {}) =>
    enumerateCrashes(
      made,
      { now: () => 0 },
      {
        seed: 1,
        share: 1,
        signal: over.signal ?? new AbortController().signal,
        onProgress: (report) => void over.seen?.push(report),
      },
    );

  it('kills at each point that the undisturbed run came by, tells how far it is, and leaves no store', async () => {
    const { made, open } = place();
    const seen: CrashReport[] = [];
    const report = await run(made, { seen });
    expect(report).toMatchObject({ points: 4, chosen: 4, tried: 4, recovered: 4, repeated: 0, lost: 0, failures: [] });
    expect(hasRecovered(report)).toBe(true);
    expect(seen.map(({ tried }) => tried)).toEqual([1, 2, 3, 4]);
    expect(open).toEqual({ now: 0, ever: 5 });
  });

  it.each<[string, Fate, Partial<CrashReport>]>([
    ['a lost event', { shown: [{ eventId: 'gone', hash: 'x' }] }, { recovered: 3, lost: 1 }],
    ['another output', { record: { ...RUN, output: 'other' } }, { recovered: 3, lost: 0 }],
    ['a run that is gone', { record: null }, { recovered: 3 }],
    [
      'a run that nobody can go on with',
      { second: { kind: 'failed', code: 'KIT_X', message: 'no', hint: null } },
      { recovered: 3 },
    ],
    [
      'a process that fails before its point',
      { first: { kind: 'failed', code: 'KIT_X', message: 'no', hint: null } },
      { recovered: 3 },
    ],
    ['a point that is never reached', { first: { kind: 'carried' } }, { recovered: 3 }],
  ])('names the point of %s', async (_what, fate, expected) => {
    const { made, open } = place((point) => (point === 'x:before' ? fate : {}));
    const report = await run(made);
    expect(report).toMatchObject({ ...expected, failures: [{ point: { name: 'x:before' } }] });
    expect(hasRecovered(report)).toBe(false);
    expect(open.now).toBe(0);
  });

  it('tries a point again that lay behind the end of the run, because two children were faster', async () => {
    const { made } = place((point, tried) => (point === 'x:after' && tried < 3 ? { first: { kind: 'carried' } } : {}));
    expect(await run(made)).toMatchObject({ recovered: 4, failures: [] });
  });

  it('refuses when not even the undisturbed run ends, with the reason of the store', async () => {
    const { made, open } = place();
    const broken: CrashPlace = {
      ...made,
      open: async () => ({
        ...(await made.open()),
        run: async () => ({ kind: 'failed', code: 'KIT_STORE_UNAVAILABLE', message: 'no right', hint: 'GRANT' }),
      }),
    };
    await expect(run(broken)).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      message: expect.stringContaining('no right'),
      hint: 'GRANT',
    });
    expect(open.now).toBe(0);
  });

  it('stops at a signal, says how far it came, and leaves no store', async () => {
    const cut = new AbortController();
    const { made, open } = place((point) => {
      if (point === 'x:before') cut.abort();
      return {};
    });
    const report = await run(made, { signal: cut.signal });
    expect(report.tried).toBeLessThan(4);
    expect(hasRecovered(report)).toBe(false);
    expect(open.now).toBe(0);
  });
});

describe('probes', () => {
  const never = new Promise<never>(() => undefined);

  it('run at once and answer in their order; one that hangs or throws is one failing check', async () => {
    const clock = {
      sleep: (ms: number, signal?: AbortSignal) =>
        ms === PROBE_MS && signal !== undefined ? Promise.resolve() : never,
    };
    const slow = { id: 'slow', look: () => never };
    const checks = await runProbes([slow, { id: 'thrown', look: () => Promise.reject(new Error('x')) }], clock);
    expect(checks.map(({ id, status }) => [id, status])).toEqual([
      ['slow', 'fail'],
      ['thrown', 'fail'],
    ]);
    expect(checks[0]?.found).toBe('no answer within 5 s');
  });

  it('leave no timer behind when they have answered', async () => {
    let left = 0;
    const clock = {
      sleep: (_ms: number, signal?: AbortSignal) => {
        left += 1;
        return new Promise<void>((_, reject) =>
          signal?.addEventListener('abort', () => {
            left -= 1;
            reject(signal.reason);
          }),
        );
      },
    };
    await runProbes([{ id: 'a', look: async () => [{ id: 'a', status: 'ok', found: '', fix: null }] }], clock);
    expect(left).toBe(0);
  });
});
