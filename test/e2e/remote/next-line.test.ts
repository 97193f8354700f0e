import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastOf } from '../world.js';
import { KEYS, openServed, type Served } from './served.js';

let served: Served;
let id = '';
beforeAll(async () => {
  served = await openServed({
    files: (files) => ({
      'roles/people.yaml': (files['roles/people.yaml'] ?? '').replace('[ops-1]', '[ops-1, qa-2]'),
    }),
  });
  id = String(lastOf(await served.remote(['run', 'release', '--input', 'x', '--json'], { key: KEYS.ADA_KEY })).id);
});
afterAll(() => served.close());

const why = async (key: string): Promise<string> => (await served.remote(['why', id], { key })).stdout;

it('names the line that whoever is signed in can paste, and none that would be refused', async () => {
  expect(await why(KEYS.OPS_KEY)).toContain(`next: kit review resolve mpa-${id}:writer-0-ops --approve`);
  expect(await why(KEYS.QA_KEY)).toContain(`next: kit review resolve mpa-${id}:writer-0-qa --approve`);
  expect(await why(KEYS.ADA_KEY)).toMatch(
    /needs first: the decision of qa-1 or qa-2\nnext: kit review show mpa-[0-9a-f]+:writer-0-qa/,
  );
});

it('names the task of whoever looks here as well', async () => {
  const { stdout } = await served.world.here(['why', id], { cwd: served.dir, env: { ...KEYS, KIT_IDENTITY: 'ops-1' } });
  expect(stdout).toContain(`next: kit review resolve mpa-${id}:writer-0-ops --as ops-1 --approve`);
});

it('of a run with one gate names the run only where each member has one task there', async () => {
  // qa-2 holds both roles, so that `kit review approve RUN` would not say which task is meant.
  expect(await why(KEYS.QA_KEY)).not.toContain('kit review approve');
});

it('tells who repeats the decision of an earlier round that it counts no more', async () => {
  await served.remote(['review', 'approve', id], { key: KEYS.QA_KEY });
  await served.remote(['review', 'changes', id, '-m', 'shorter'], { key: KEYS.OPS_KEY });
  await expect
    .poll(async () => (await served.remote(['review', 'list'])).stdout, { timeout: 20_000 })
    .toContain('qa-r1');

  const again = await served.remote(['review', 'approve', `mpa-${id}:writer-0-qa`], { key: KEYS.QA_KEY });

  expect(again.stdout).toContain(
    `already; nothing changed\nit counts no more: round 1 is open, and its task is mpa-${id}:writer-0-qa-r1`,
  );
});
