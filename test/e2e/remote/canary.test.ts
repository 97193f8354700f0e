import { afterAll, beforeAll, expect, it } from 'vitest';
import { lastOf } from '../world.js';
import { KEYS, openServed, type Served } from './served.js';

const CANARY = `  canary:
    routes:
      - topology: plain
        versions:
          - { version: 1.0.0, weight: 90 }
          - { version: 1.1.0, weight: 10, promote_when: { min_runs: 50 } }
`;

let served: Served;
beforeAll(async () => {
  served = await openServed({
    settings: CANARY,
    files: (files) => ({
      'topologies/plain-next.yaml': (files['topologies/plain.yaml'] ?? '').replace('1.0.0', '1.1.0'),
    }),
  });
});
afterAll(() => served.close());

const admin = { key: KEYS.ADA_KEY };

it('shows a split here as at the server, and the server takes a decision of an administrator alone', async () => {
  for (const json of [[], ['--json']]) {
    const [here, there] = [
      await served.local(['canary', 'list', ...json]),
      await served.remote(['canary', 'list', ...json]),
    ];
    expect(there).toMatchObject({ code: 0, stdout: here.stdout });
    expect(here.stdout).toContain(json.length === 0 ? '  1.1.0  10 %  no run counted yet' : '"weight":10');
  }

  const refused = await served.remote(['canary', 'promote', 'plain', '1.1.0', '--yes', '--json']);
  expect(refused.code).toBe(2);
  expect(lastOf(refused)).toMatchObject({ code: 'KIT_SCOPE_MISSING' });

  const promoted = await served.remote(['canary', 'promote', 'plain', '1.1.0', '--yes'], admin);
  expect(promoted).toMatchObject({ code: 0, stdout: 'plain: 1.0.0 0 %, 1.1.0 100 %\n' });
  expect((await served.local(['canary', 'list'])).stdout).toMatch(
    /^plain {2}\(decided here.*promoted by ada: 1\.0\.0 0 %, 1\.1\.0 100 %\n$/s,
  );

  const back = await served.local(['canary', 'rollback', 'plain', '--yes', '--json']);
  expect(lastOf(back)).toMatchObject({ rolled_back: true, weights: { '1.0.0': 100, '1.1.0': 0 } });
  expect((await served.remote(['canary', 'list'])).stdout).toContain('rolled back by qa-1: 1.0.0 100 %, 1.1.0 0 %');
});

it.each([
  [['promote', 'plain', '1.1.0'], 'KIT_USAGE', 'there is no terminal to ask on'],
  [['rollback', 'plain'], 'KIT_USAGE', 'there is no terminal to ask on'],
  [['promote', 'plain', '9.9.9'], 'KIT_CANARY_UNKNOWN', 'it has 1.0.0, 1.1.0'],
  [['promote', 'release', '1.0.0', '--yes'], 'KIT_CANARY_UNKNOWN', 'no canary route splits release'],
])('canary %j says %s here and at the server, and changes nothing', async (argv, code, message) => {
  const before = await served.local(['canary', 'list']);

  const [here, there] = [
    await served.local(['canary', ...argv, '--json']),
    await served.remote(['canary', ...argv, '--json'], admin),
  ];

  expect(lastOf(here)).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(lastOf(there)).toEqual(lastOf(here));
  expect([here.code, there.code]).toEqual([2, 2]);
  expect(await served.local(['canary', 'list'])).toMatchObject({ stdout: before.stdout });
});
