import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const WITHOUT_OPS = `roles:
  - { id: qa, members: [qa-1, qa-2], scopes: ["release:sign"] }
`;
const SAID = /nobody reviewed the gate [0-9a-f]{12}:writer: no role registry defines the role ops/;

it('is said wherever people look at the run: a gate that nobody was asked about', async () => {
  const at = world.files('unasked', gated({ roles: WITHOUT_OPS }));
  const run = await world.here(['run', at, 'release', '--input', 'hi', '--as', 'dana']);
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(SAID);

  const status = (await world.here(['status', at, '--json'])).lines();
  expect(status).toMatchObject([{ runs: [{ status: 'completed', issues: 1 }] }]);
  const [, id = ''] = /run ([0-9a-f]{12})/.exec(run.stderr) ?? [];

  for (const argv of [
    ['why', id, at],
    ['trace', id, at],
    ['logs', at, '-r', id],
  ])
    expect((await world.here(argv)).stdout, argv[0]).toMatch(/nobody reviewed/);
  expect((await world.here(['why', id, at])).stdout).toMatch(SAID);
  const json = (await world.here(['run', at, 'release', '--input', 'hi', '--as', 'dana', '--json'])).lines().at(-1);
  expect(json).toMatchObject({ status: 'completed', ungated: [`${String(json?.id)}:writer`] });
  const page = join(world.base, 'report.html');
  expect((await world.here(['report', id, at, '--output', page])).code).toBe(0);
  expect(readFileSync(page, 'utf8')).toMatch(SAID);
});

it('is an error where the name looks like a slip of one that is there', async () => {
  const at = world.files('slip', gated({ roles: WITHOUT_OPS.replace('id: qa,', 'id: oops,') }));
  const validated = await world.here(['validate', at]);
  expect(validated.code).toBe(1);
  expect(validated.stdout).toContain('error[funnel.unknown-role]');

  const run = await world.here(['run', at, 'release', '--input', 'hi', '--as', 'dana']);
  expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('KIT_WORKSPACE_INVALID')]);
});

it('is refused where the workspace requires its gates, before anything is written', async () => {
  const required = 'governance: { provider: mock, require_gates: true }\n';
  const at = world.files('required', gated({ roles: WITHOUT_OPS, workspace: required }));
  const validated = await world.here(['validate', at]);
  expect([validated.code, validated.stdout]).toEqual([1, expect.stringContaining('error[funnel.not-enforceable]')]);

  const run = await world.here(['run', at, 'release', '--input', 'hi', '--as', 'dana']);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('KIT_GATE_NOT_ENFORCEABLE')]);
  expect(run.stderr).toContain('nobody could be asked about the gate sign-off of release@1.0.0');
  expect(existsSync(join(at, '.kit'))).toBe(false);
  expect((await world.here(['run', at, 'plain', '--input', 'hi', '--as', 'dana'])).code).toBe(0);

  const whole = world.files('whole', gated({ workspace: required }));
  expect((await world.here(['run', whole, 'release', '--input', 'hi', '--as', 'dana'])).code).toBe(3);
});
