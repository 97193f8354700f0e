import { readFileSync } from 'node:fs';
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
