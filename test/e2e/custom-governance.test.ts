import { afterAll, beforeAll, expect, it } from 'vitest';
import { writePlugin } from '../support/plugin-package.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { localProvider, talk } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

/**
 * A provider of a third party: it denies the agents that it is told, has nothing to say of one, and
 * finds fault with one word.
 */
const GUARD = `
import { defineGovernanceProvider } from '@kit-run/kit/plugin';
export const contribution = defineGovernanceProvider({
  create: ({ deny = [], broken = false, distrust = [] }) => ({
    evaluate: async ({ agentId }) => {
      if (broken) throw new Error('the policy server said: key sekret-value');
      if (deny.includes(agentId)) return { verdict: 'deny', reason: agentId + ' is on the list', needs: ['guard:pass'], policyDigest: 'a'.repeat(64) };
      return { verdict: 'allow' };
    },
    trustScore: async (agentId) => (distrust.includes(agentId) ? 0.1 : null),
    check: async () => deny.includes('typo')
      ? [{ code: 'policy.unknown-entity', path: 'workspace.yaml', line: 1, message: 'nobody is called typo', help: 'look at the agents' }]
      : [],
  }),
});
`;

const plugin = {
  name: '@acme/kit-plugin-guard',
  contributes: {
    governanceProviders: [
      {
        id: 'acme.guard',
        name: 'guard',
        title: 'A list of agents',
        module: './dist/guard.js',
        configSchema: './schemas/guard.json',
        effects: [],
      },
    ],
  },
  files: {
    'dist/guard.js': GUARD,
    'schemas/guard.json': JSON.stringify({
      type: 'object',
      additionalProperties: false,
      properties: {
        deny: { type: 'array', items: { type: 'string' } },
        distrust: { type: 'array', items: { type: 'string' } },
        broken: { type: 'boolean' },
      },
    }),
  },
};

let world: World;
let model: LeaderServer;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startLeaderServer()]);
  env = { ...world.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
});
afterAll(async () => {
  await world.dispose();
  await model.close();
});

const under = (name: string, config: string): string =>
  world.files(
    name,
    talk({
      provider: 'local',
      workspace: `governance: { provider: custom, config: { provider_id: guard, config: ${config} } }\n`,
      files: { 'providers/local.yaml': localProvider },
    }),
  );

it('a governance provider of a plugin is missed before it is installed, and governs runs after, failing closed', {
  timeout: 120_000,
}, async () => {
  const denying = under('denying', '{ deny: [helper] }');
  const run = (dir: string) => world.here(['run', dir, 'talk', '--input', 'x', '--json'], { env });
  const missed = await world.here(['validate', denying], { env });
  const refused = await run(denying);
  const linked = await world.here(['plugins', 'link', await writePlugin(world.home.path, plugin), '--yes', '--json'], {
    env,
  });
  expect([missed.code, refused.code, linked.code]).toEqual([1, 2, 0]);
  expect(missed.stdout + missed.stderr).toContain('governance.unavailable');

  const denied = await run(denying);
  expect(lastOf(denied)).toMatchObject({ status: 'completed' });
  expect(eventsOf(denied).filter(({ type }) => type === 'policy.denied')).toMatchObject([
    {
      payload: {
        action: 'agent:execute',
        reason: 'helper is on the list',
        needs: ['guard:pass'],
        policy_digest: 'a'.repeat(64),
      },
    },
  ]);
  const distrusted = await run(under('distrusting', '{ distrust: [helper] }'));
  expect(eventsOf(distrusted).map(({ type }) => type)).toContain('trust.denied');

  const broken = await run(under('broken', '{ broken: true }'));
  expect([broken.code, lastOf(broken).reason]).toEqual([1, 'denied']);
  expect(broken.stdout + broken.stderr).not.toContain('sekret-value');
  const typo = under('typo', '{ deny: [typo] }');
  const checked = await world.here(['validate', typo], { env });
  expect([checked.code, (await run(typo)).code]).toEqual([1, 2]);
  for (const text of ['policy.unknown-entity', 'nobody is called typo', 'look at the agents'])
    expect(checked.stdout + checked.stderr).toContain(text);
  const misspelt = await world.here(['validate', under('misspelt', '{ denny: [helper] }')], { env });
  expect(misspelt.stdout + misspelt.stderr).toContain('denny');
});
