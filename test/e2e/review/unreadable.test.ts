import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

it('lets nobody decide about bytes that cannot be read, and records nothing', async () => {
  const at = world.files('unreadable', gated());
  const run = await world.here(['run', at, 'release', '--input', 'hi', '--as', 'dana', '--json']);
  const job = String(run.lines().at(-1)?.id);
  const gate = `${job}:writer`;
  const seen = (await world.here(['review', 'gate', gate, at, '--json'])).lines().at(-1) ?? {};
  const sha256 = String(seen.sha256);
  const file = join(at, '.kit/blobs', sha256.slice(0, 2), sha256);
  const bytes = readFileSync(file);
  const log = async () => (await world.here(['logs', at, '-r', job, '--json'])).stdout;
  const before = await log();
  const sign = (...how: readonly string[]) =>
    world.here(['review', 'resolve', `mpa-${gate}-0-qa`, at, '--as', 'qa-1', '--no-resume', ...how]);

  writeFileSync(file, 'another text');
  const altered = await sign('--approve');
  expect([altered.code, altered.stderr]).toEqual([1, expect.stringContaining('KIT_ARTIFACT_CORRUPT')]);
  expect(altered.stderr).toContain('its bytes have another digest; nothing is recorded');
  rmSync(file);
  const gone = await sign('--reject', '--comment', 'no');
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('its bytes are gone from the store')]);
  expect(gone.stderr.replaceAll(/\s+/g, ' ')).toContain(`or give the run up: kit stop ${job}`);
  expect(await log()).toBe(before);

  writeFileSync(file, bytes);
  expect((await sign('--approve')).code).toBe(0);
});
