import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

const SECRET = 'sk-live-0123456789abcdef';
let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const here = (argv: readonly string[]) => world.here(argv, { env: { DEPLOY_API_KEY: SECRET } });

/** `release` waits for qa and ops; its input is long and holds a secret that this machine knows. */
async function parked(name: string) {
  const directory = world.files(name, gated());
  const input = `Release 1.7 with ${SECRET}. ${'The notes go to all customers. '.repeat(300)}END`;
  const run = await here([
    ...['run', directory, 'release', '--input', input, '--as', 'dana', '--json'],
    ...['--label', 'team=core', '--correlation-id', 'ticket-7'],
  ]);
  expect(run.code).toBe(3);
  const job = String(run.lines().at(-1)?.id);
  return { directory, job, item: `mpa-${job}:writer-0-qa` };
}

it('leads with what is asked, for somebody who knows nothing of the inside', async () => {
  const { directory, job, item } = await parked('asked');
  const shown = await here(['review', 'show', item, directory, '--as', 'qa-1']);
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  for (const line of [
    `what is asked  run ${job}`,
    '  what      release 1.0.0: One gated agent.',
    '  input     Release 1.7 with [MASKED]. The notes',
    '  from      dana (only said, proved by nobody), through cli',
    '  labels    team=core, correlation ticket-7',
    '  led here  writer  waits for people  1 model call',
    '  you       can decide',
  ])
    expect(shown.stdout).toContain(line);
  expect(shown.stdout.indexOf('what is asked')).toBeLessThan(shown.stdout.indexOf('gate '));
  expect(shown.stdout).not.toContain(SECRET);

  // The line that shows the rest works as it is printed.
  const [, more = ''] = /more characters: (kit review show .*)$/m.exec(shown.stdout) ?? [];
  expect(shown.stdout).not.toContain('END');
  const whole = await here(more.split(' ').slice(1));
  expect(whole.stdout).toContain('END');
  expect(whole.stdout).not.toContain(SECRET);

  const gate = await here(['review', 'gate', `${job}:writer`, directory, '--as', 'dana']);
  expect(gate.stdout).toMatch(/^as dana \(--as\)\nwhat is asked/);
  expect(gate.stdout).toContain('  you       cannot decide: ');

  const list = await here(['review', 'list', directory, '--as', 'qa-1']);
  expect(list.stdout).toMatch(/ITEM +STATUS +KIND +FOR +ASKED +FROM +AGE +YOU/);
  expect(list.stdout).toMatch(/release: Release 1\.7 with \[MASKED\]\..* +dana +\d+ s +can decide$/m);
  expect(list.stdout).toMatch(/-0-ops .* cannot$/m);
});

it('says the same as JSON, and in the report', async () => {
  const { directory, job, item } = await parked('wire');
  const shown = await here(['review', 'show', item, directory, '--as', 'qa-1', '--json']);
  expect(shown.lines().at(-1)).toMatchObject({
    item: {
      id: item,
      request: {
        run_id: job,
        topology: 'release',
        description: 'One gated agent.',
        input_cut: true,
        submitted_by: { identity: 'dana', assurance: 'asserted' },
        labels: { team: 'core' },
        correlation_id: 'ticket-7',
        source: 'cli',
        led_here: { steps: [{ name: 'writer', kind: 'agent', model_calls: 1 }] },
      },
      you: { can_decide: true, why_not: null },
    },
  });
  const list = await here(['review', 'list', directory, '--as', 'dana', '--json']);
  expect(list.lines().at(-1)).toMatchObject({
    items: [{ you: { can_decide: false } }, { request: { led_here: null } }],
  });
  const report = await here(['report', job, directory, '--output', '-']);
  expect(report.stdout.indexOf('<h2>What is asked</h2>')).toBeGreaterThan(0);
  expect(report.stdout).toContain('One gated agent.');
  expect(report.stdout).not.toContain(SECRET);
});
