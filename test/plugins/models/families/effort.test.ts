import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../../../src/domain/ports/model.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { callOptions, familyProvider, good, request } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

let servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function opened(id: string, model: string) {
  const family = FAMILIES.find((one) => one.id === id);
  if (family === undefined) throw new Error(`no case for ${id}`);
  const server = await startProviderServer(family.protocol);
  servers.push(server);
  const provider = await familyProvider(contributionOf(id), bundledConfig(id, server.url), {
    env: { [KEY_VARIABLE]: KEY },
  });
  const ask = async (more: Partial<ModelRequest>) =>
    good(await provider.generate(request({ model, ...more }), callOptions()));
  return { server, ask, body: () => server.requests.at(-1)?.body };
}

test.each([
  { id: 'openai', model: 'gpt-5-mini', at: ['reasoning', 'effort'], value: 'low' },
  { id: 'groq', model: 'openai/gpt-oss-20b', at: ['reasoning_effort'], value: 'low' },
  { id: 'ollama', model: 'gpt-oss:20b', at: ['think'], value: 'low' },
  {
    id: 'google',
    model: 'gemini-3-pro-preview',
    at: ['generationConfig', 'thinkingConfig', 'thinkingLevel'],
    value: 'low',
  },
  { id: 'anthropic', model: 'claude-opus-4-6', at: ['output_config', 'effort'], value: 'low' },
])('the effort of $id is said in its own words', async ({ id, model, at, value }) => {
  const { ask, body, server } = await opened(id, model);
  const read = () =>
    at.reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined)?.[key], body());

  await ask({});
  expect(read()).not.toBe(value);
  await ask({ effort: 'low' });

  expect(read()).toBe(value);
  expect(server.problems).toEqual([]);
});

test('effort is a budget of thinking where a Claude knows no other, and excludes no schema', async () => {
  const { ask, body, server } = await opened('anthropic', 'claude-sonnet-4-5');
  const schema = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  };

  await ask({ effort: 'high', outputSchema: schema });

  expect(body().thinking).toMatchObject({ type: 'enabled' });
  expect(body().thinking.budget_tokens).toBeGreaterThan(1000);
  expect(body().max_tokens).toBeGreaterThan(body().thinking.budget_tokens);
  expect(server.problems).toEqual([]);
});
