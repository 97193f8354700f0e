import { describe, expect, it } from 'vitest';
import { topText } from '../../../src/text/top-text.js';
import type { FleetOverview } from '../../../src/view/fleet-overview.js';
import { toWireFleet } from '../../../src/view/schemas/fleet.js';
import { seenOf } from '../../support/fleet-samples.js';
import { itemOf, overviewOf, QUEUE, runOf } from './samples.js';

const textOf = (over: Partial<FleetOverview> = {}, width: number | null = null, color = false): string =>
  topText(overviewOf(over), { color, width });
const HOSTILE = '\u001b[31mred\u001b[2J\u001b]0;title\u0007\r\u202egnp.exe\u2066\u009b1A\u0000\ttab\u2028line\nmore';

describe('the page of a fleet', () => {
  it('says of an idle one that nothing waits, runs or is to be decided', () => {
    expect(textOf({ members: { rows: [], total: 0 } })).toBe(
      [
        'queue  0 waiting · 0 running',
        '       wait not known yet · execution not known yet',
        '',
        'servers and workers  none',
        '',
        'running  nothing',
        '',
        'open gates and questions  none',
      ].join('\n'),
    );
  });

  it('tells depth, age, times, and what nobody alive can claim with an example and what is missing', () => {
    const text = textOf({
      queue: {
        ...QUEUE,
        queued: 12,
        running: 3,
        oldestQueuedAgeMs: 90_000,
        queueWaitP50Ms: 100,
        queueWaitP95Ms: 2_500,
        executionP50Ms: 4_000,
        executionP95Ms: 9_000,
        depthByTopology: { small: 2, review: 10 },
        blocked: [
          {
            jobs: 7,
            engine: 2,
            jobClass: 'model',
            example: 'ddddeeeeffff',
            missing: ['it goes on with kit engine 2, and this is engine 1'],
          },
        ],
      },
    });

    expect(text).toContain('queue  12 waiting, the oldest for 1 min 30 s, 10 of them review · 3 running');
    expect(text).toContain('wait p50 100 ms, p95 2.5 s · execution p50 4.0 s, p95 9.0 s');
    expect(text).toContain(
      '7 runs wait, and nobody alive can claim them (one is ddddeeeeffff)\n    it goes on with kit engine 2, and this is engine 1',
    );
  });

  it('lists servers and workers with their slots and last beat; who is gone, drains or only accepts says so in words', () => {
    const rows = [
      seenOf({ hostname: 'one', active: 3, concurrency: 10, silentMs: 1_200 }),
      seenOf({ hostname: 'two', active: 2, concurrency: 0 }),
      seenOf({ hostname: 'three', kind: 'api', concurrency: 0, active: 0 }),
      seenOf({ hostname: 'four', isAlive: false, silentMs: 125_000 }),
    ];
    const lines = textOf({ members: { rows, total: 4 } }).split('\n');

    expect(lines.find((line) => line.includes('one'))).toMatch(/^worker +one +42 +any +3\/10 +1\.2\.3 +1 +1\.2 s ago$/);
    expect(lines.find((line) => line.includes('two'))).toContain('2 left, drains');
    expect(lines.find((line) => line.includes('three'))).toMatch(/^api +three +42 +1\.2\.3 +1 +1\.0 s ago$/);
    expect(lines.find((line) => line.includes('four'))).toContain('gone, 2 min 05 s ago');
  });

  it('says what a run waits for, also where another of its agents does', () => {
    const waiting = (agentId: string) => {
      const run = runOf();
      const wait = { agentId, reason: 'limit.in_flight', tries: 1, until: null };
      const view = { ...run.view, outages: { 'boss/d0/t0': wait, 'boss/d0/t1': wait } };
      return textOf({ runs: { rows: [{ ...run, view }], total: 1 } });
    };

    expect(waiting('writer')).toContain('waits for a call to end: the provider takes no more at the same time');
    expect(waiting('boss')).toMatch(/asking the model; waits for a call to end: .*, and 1 more/);
    const { view, ...run } = runOf();
    const outages = { a: { agentId: 'writer', reason: 'limit.closed', tries: 1, until: '2026-01-02T03:04:05.000Z' } };
    const overview = overviewOf({ runs: { rows: [{ ...run, view: { ...view, outages } }], total: 1 } });
    expect(toWireFleet(overview).runs).toMatchObject([
      { waits: [{ agent_id: 'writer', reason: 'limit.closed', until: '2026-01-02T03:04:05.000Z' }], waits_total: 1 },
    ]);
  });

  it('dims who is gone where there are colours', () => {
    const text = textOf({ members: { rows: [seenOf({ hostname: 'four', isAlive: false })], total: 1 } }, null, true);

    expect(text).toContain('\u001b[2mfour\u001b[22m');
  });

  it('shows of a run the agent that does something now, its time, cost and process', () => {
    const rows = [runOf(), runOf({ id: 'ddddeeeeffff', workerId: 'host-9:7:01020304' })];
    const members = { rows: [seenOf({ isAlive: false })], total: 1 };
    const lines = textOf({ runs: { rows, total: 42 }, members }).split('\n');

    expect(lines.find((line) => line.startsWith('aaaabbbbcccc'))).toMatch(
      /^aaaabbbbcccc +review 1\.0\.0 +writer +asking the model +1 min 05 s +\$0\.250 +host-1:42 \(gone\)$/,
    );
    expect(lines.find((line) => line.startsWith('ddddeeeeffff'))).toMatch(/host-9:7:01020304$/);
    expect(lines).toContain('running  42');
    expect(lines).toContain('  and 40 more');
  });

  it('shows what waits for people: the role of a gate, or what is asked', () => {
    const rows = [itemOf(), itemOf({ id: 'ask-1', gateId: null, role: null, kind: 'input' })];
    const lines = textOf({ waiting: { rows, total: 2 } }).split('\n');

    expect(lines.find((line) => line.startsWith('qa'))).toMatch(
      /^qa +aaaabbbbcccc:writer +review +aaaabbbbcccc +2 h 00 min$/,
    );
    expect(lines.find((line) => line.startsWith('input'))).toContain('ask-1');
  });

  it('says when the rows of the fleet cannot be read, and what is then not known', () => {
    const text = textOf({ members: null, queue: { ...QUEUE, queued: 1, blocked: null } });

    expect(text).toContain('servers and workers  their rows (storage.fleet) cannot be read');
    expect(text).toContain('which of them nobody can claim is not known');
  });

  it.each([120, 80, 60])('fits the rows of its tables into %i columns', (width) => {
    const long = 'a-very-long-name-of-something-that-somebody-once-thought-was-short';
    const text = textOf(
      {
        members: { rows: [seenOf({ hostname: long })], total: 1 },
        runs: { rows: [runOf({ topology: long }, long)], total: 1 },
        waiting: { rows: [itemOf({ role: long, topology: long, gateId: long })], total: 1 },
      },
      width,
    );

    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width);
  });

  it('prints nothing of a name but its letters', () => {
    const text = textOf({
      queue: {
        ...QUEUE,
        depthByTopology: { [HOSTILE]: 1 },
        blocked: [{ jobs: 1, engine: 1, jobClass: 'model', example: 'aaaabbbbcccc', missing: [HOSTILE] }],
      },
      members: { rows: [seenOf({ hostname: HOSTILE, version: HOSTILE })], total: 1 },
      runs: { rows: [runOf({ topology: HOSTILE, workerId: `${HOSTILE}:1:2` }, HOSTILE)], total: 1 },
      waiting: { rows: [itemOf({ role: HOSTILE, gateId: HOSTILE, topology: HOSTILE })], total: 1 },
    });

    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e\u2066]/);
    expect(text.split('\n').every((line) => !line.startsWith('more'))).toBe(true);
  });
});

it('a machine whose clock is off by seconds is told so first', () => {
  expect(textOf({ storeAheadMs: -7_200_000 }).split('\n')[0]).toBe(
    "the clock of this machine is 7200.0 s ahead of the store's; times are told by the store's",
  );
  expect(textOf({ storeAheadMs: 0 })).not.toContain('the clock of this machine');
});
