import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
let directory: string;
let job: string;
let before: string;
beforeAll(async () => {
  world = await makeWorld();
  directory = world.files('gated', gated());
  const run = await world.here(['run', directory, 'release', '--input', 'hi', '--as', 'dana', '--json']);
  job = String(run.lines().at(-1)?.id);
  before = await decided();
});
afterAll(() => world.dispose());

/** Everything that people have decided. */
async function decided(): Promise<string> {
  const items = (await world.here(['review', 'list', directory, '--all', '--json'])).stdout;
  const gate = (await world.here(['review', 'gate', `${job}:writer`, directory, '--json'])).stdout;
  // How long people have been asked goes on by itself.
  return `${items}${gate}`.replaceAll(/"age_seconds":\d+/g, '');
}

const QA = (): string => `mpa-${job}:writer-0-qa`;
const TABLE: readonly (readonly [string, () => readonly string[], string, RegExp])[] = [
  [
    'no such item',
    () => ['review', 'resolve', 'mpa-nothing', directory, '--as', 'qa-1', '--approve'],
    'KIT_ITEM_UNKNOWN',
    /kit review list/,
  ],
  [
    'an ambiguous item',
    () => ['review', 'resolve', 'mpa-', directory, '--as', 'qa-1', '--approve'],
    'KIT_ITEM_AMBIGUOUS',
    /more characters/,
  ],
  ['nobody who decides', () => ['review', 'resolve', QA(), directory, '--approve'], 'KIT_USAGE', /--as <identity>/],
  [
    'an empty identity',
    () => ['review', 'resolve', QA(), directory, '--as', ' ', '--approve'],
    'KIT_USAGE',
    /--as <identity>/,
  ],
  [
    'no outcome',
    () => ['review', 'resolve', QA(), directory, '--as', 'qa-1'],
    'KIT_OUTCOME_INVALID',
    /--approve, --reject or --changes-requested/,
  ],
  [
    'two outcomes',
    () => ['review', 'resolve', QA(), directory, '--as', 'qa-1', '--approve', '--reject'],
    'KIT_USAGE',
    /--help/,
  ],
  [
    'an identity in no role',
    () => ['review', 'resolve', QA(), directory, '--as', 'mallory', '--approve'],
    'KIT_APPROVAL_DENIED',
    /--as qa-1 --approve/,
  ],
  [
    'a member of another role',
    () => ['review', 'resolve', QA(), directory, '--as', 'ops-1', '--reject'],
    'KIT_APPROVAL_DENIED',
    /qa-1 or qa-2 can/,
  ],
  [
    'changes without a comment',
    () => ['review', 'resolve', QA(), directory, '--as', 'qa-1', '--changes-requested'],
    'KIT_COMMENT_MISSING',
    /--comment/,
  ],
  [
    'approving a role task without a name',
    () => ['review', 'approve', QA(), directory],
    'KIT_APPROVAL_DENIED',
    /--as qa-1 --approve/,
  ],
  [
    'rejecting a role task without a name',
    () => ['review', 'reject', QA(), directory],
    'KIT_APPROVAL_DENIED',
    /--as qa-1 --reject/,
  ],
  ['answering a role task', () => ['review', 'answer', QA(), 'yes', directory], 'KIT_ROLE_TASK', /review resolve/],
  ['no item to show', () => ['review', 'show', 'nothing', directory], 'KIT_ITEM_UNKNOWN', /kit review list/],
  ['no such gate', () => ['review', 'gate', 'x:y', directory], 'KIT_GATE_UNKNOWN', /kit review list/],
  [
    'a list of no such gate',
    () => ['review', 'list', directory, '--gate', 'x:y'],
    'KIT_GATE_UNKNOWN',
    /kit review list/,
  ],
  ['a kind that is none', () => ['review', 'list', directory, '--kind', 'tasks'], 'KIT_USAGE', /role_task/],
  ['why of nothing', () => ['why', 'ffffffffffff', directory], 'KIT_JOB_UNKNOWN', /kit status/],
  ['the inbox without a terminal', () => ['review', directory], 'KIT_USAGE', /kit review list/],
  [
    'a simulation in which nobody acts',
    () => ['review', 'simulate', 'release', directory, '--author', 'dana'],
    'KIT_USAGE',
    /--approve a,b/,
  ],
  [
    'a simulation without a gate',
    () => ['review', 'simulate', 'plain', directory, '--author', 'dana', '--approve', 'a'],
    'KIT_USAGE',
    /have one/,
  ],
  [
    'a simulation of no such topology',
    () => ['review', 'simulate', 'relese', directory, '--author', 'dana', '--approve', 'a'],
    'KIT_TOPOLOGY_UNKNOWN',
    /release/,
  ],
  ['no workspace', () => ['review', 'list', '/nowhere-at-all'], 'KIT_WORKSPACE_NOT_FOUND', /kit init/],
];

describe.each(TABLE)('with %s', (_what, argv, code, hint) => {
  it('exits 2 and says what to type instead, in words and as JSON', async () => {
    const plain = await world.here(argv());
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).toContain(`error[${code}]`);
    expect(plain.stderr).toMatch(hint);
    const json = await world.here([...argv(), '--json']);
    expect([json.code, json.lines().at(-1)]).toMatchObject([
      2,
      { type: 'error', code, exit: 2, hint: expect.stringMatching(hint) },
    ]);
  });
});

it('refuses a gate and an item to go on after where nothing was ever run', async () => {
  const fresh = world.files('fresh', gated());
  expect(await world.here(['review', 'list', fresh, '--gate', 'x:y'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('KIT_GATE_UNKNOWN'),
  });
  expect(await world.here(['review', 'list', fresh, '--after', 'x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('KIT_ITEM_UNKNOWN'),
  });
  expect(await world.here(['review', 'list', fresh])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^as .* \(the OS user\)\nnothing waits for a decision\n$/),
  });
});

it('nothing was decided by any of them', async () => {
  expect(await decided()).toBe(before);
});
