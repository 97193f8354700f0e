import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let dir: string;
beforeAll(async () => {
  world = await makeWorld();
  dir = world.files('talk', talk());
});
afterAll(() => world.dispose());

const warnings = (text: string): readonly string[] => text.split('\n').filter((line) => line.includes('not yet:'));

it('a variable without an effect yet is named once, without its value, and the run goes on', async () => {
  const result = await world.here(['run', dir, 'talk', '--input', 'hi'], {
    env: { KIT_OAUTH_RUN_WINDOW_S: '98765', KIT_MAX_TOOLS: '3' },
  });

  expect(result.code).toBe(0);
  expect(warnings(result.stderr)).toEqual([
    'warning: not yet: KIT_OAUTH_RUN_WINDOW_S has no effect in this version (environment)',
  ]);
  expect(result.stdout + result.stderr).not.toContain('98765');
});

it('a dry run names it as well', async () => {
  const result = await world.here(['run', dir, 'talk', '--dry-run', '--json'], {
    env: { KIT_OAUTH_RUN_WINDOW_S: '5' },
  });

  expect(result.code).toBe(0);
  expect(JSON.stringify(lastOf(result))).toContain('KIT_OAUTH_RUN_WINDOW_S');
});

it('without such a variable nothing is said', async () => {
  const result = await world.here(['run', dir, 'talk', '--input', 'hi'], { env: { KIT_MAX_TOOLS: '3' } });

  expect(warnings(result.stderr)).toEqual([]);
});
