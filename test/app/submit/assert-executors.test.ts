import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { assertExecutors } from '../../../src/app/submit/assert-executors.js';
import type { AgentNode } from '../../../src/domain/agent-node.js';
import type { ContributionInfo } from '../../../src/domain/extension-points.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { agent } from '../../support/run-world.js';

const configSchema = JSON.parse(
  readFileSync(new URL('../../../plugins/harness/schemas/harness.json', import.meta.url), 'utf8'),
) as JsonObject;
const harness: ContributionInfo = {
  point: 'executors',
  id: 'kit.harness',
  name: 'harness',
  title: 'Harness',
  plugin: '@kit-run/plugin-harness',
  effects: [],
  configSchema,
  adapters: [],
  mount: null,
};
const plugins = {
  find: (_point: string, name: string) => (name === 'harness' ? harness : null),
  list: () => [harness],
};
const coder = (config: JsonObject): AgentNode =>
  agent('coder', { executor: { kind: 'harness', ref: 'test-runner', config, onInDoubt: 'repeat' } });

it('lets an agent pass whose configuration fits its executor', async () => {
  await expect(
    assertExecutors(plugins, [agent('root'), coder({ link: ['node_modules'], budget: { max_turns: 2 } })]),
  ).resolves.toBeUndefined();
});

it('refuses a configuration that does not fit, naming the agent and the place', async () => {
  await expect(assertExecutors(plugins, [coder({ link: 'node_modules' })])).rejects.toMatchObject({
    code: 'KIT_PLUGIN_CONFIG_INVALID',
    message: expect.stringMatching(/coder.*\/link/),
  });
});

it('refuses an executor that no plugin brings', async () => {
  const node = agent('root', { executor: { kind: 'plugin', ref: 'robot', config: {}, onInDoubt: 'repeat' } });

  await expect(assertExecutors(plugins, [node])).rejects.toMatchObject({
    code: 'KIT_EXECUTOR_UNKNOWN',
    data: { executor: 'robot', agent: 'root' },
  });
});

it('asks whether a misspelt executor was meant', async () => {
  const node = agent('root', { executor: { kind: 'plugin', ref: 'harnes', config: {}, onInDoubt: 'repeat' } });

  await expect(assertExecutors(plugins, [node])).rejects.toMatchObject({
    code: 'KIT_EXECUTOR_UNKNOWN',
    hint: 'Did you mean harness?',
  });
});
