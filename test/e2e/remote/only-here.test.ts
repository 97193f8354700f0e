import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastOf } from '../world.js';
import { openServed, type Served } from './served.js';

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

it('what a server cannot do names KIT_SERVER and the workspace that is here, as it is typed', async () => {
  const hintIn = async (cwd: string, argv: readonly string[] = ['validate']) =>
    String(lastOf(await served.remote([...argv, '--json'], { cwd })).hint);

  expect(await hintIn(served.dir)).toBe(
    'KIT_SERVER wins over the workspace that is here. Name the workspace: add -w . to the command.',
  );
  expect(await hintIn(join(served.dir, 'topologies'), ['apply', 'abc'])).toContain('add -w .. to the command');
  expect(await hintIn(served.dir, ['validate', '--server', served.url])).toContain('kit validate -w <directory>');
  expect((await served.remote(['validate', '-w', '.'], { cwd: served.dir })).code).toBe(0);
});
