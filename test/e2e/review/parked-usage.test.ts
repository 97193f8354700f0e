import { expect, it } from 'vitest';
import { lastOf, makeWorld } from '../world.js';
import { gated } from './gated-workspace.js';

const SPENT = { input_tokens: expect.any(Number), output_tokens: expect.any(Number) };

it('a run that has just parked tells what it has used, as `kit status` does', async () => {
  const world = await makeWorld();
  try {
    const directory = world.files('used', gated());
    const status = async () => (lastOf(await world.here(['status', directory, '--json'])).runs as object[])[0];
    const run = await world.here(['run', directory, 'release', '--input', 'write it', '--as', 'dana', '--json']);
    const { id, usage } = lastOf(run);
    expect([run.code, usage]).toEqual([3, expect.objectContaining(SPENT)]);
    expect(await status()).toMatchObject({ usage });

    const again = ['--as', 'qa-1', '--changes-requested', '-m', 'again', '--no-resume'];
    await world.here(['review', 'resolve', `mpa-${String(id)}:writer-0-qa`, directory, ...again]);
    const resumed = await world.here(['resume', String(id), directory, '--json']);

    expect([resumed.code, lastOf(resumed).usage]).toEqual([3, expect.objectContaining(SPENT)]);
    expect(await status()).toMatchObject({ usage: lastOf(resumed).usage });
  } finally {
    await world.dispose();
  }
});
