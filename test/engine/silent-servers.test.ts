import { afterEach, beforeEach, expect, it } from 'vitest';
import { contribution } from '../../plugins/models/src/openai-compatible.js';
import { createTestContext } from '../../src/sdk/testing.js';
import { createClock } from '../../src/system/clock.js';
import { askedWorld, never } from '../support/asked-world.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { lawfulWorlds } from './laws.js';

const open = lawfulWorlds();
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

/** A provider of its own plugin, over real HTTP. */
const provider = async () =>
  contribution.create(
    { base_url: server.url, api_key_env: 'KEY' },
    createTestContext({ fetch: globalThis.fetch, clock: createClock(), env: { KEY: 'sk-test-0123456789' } }),
  );

it.each([
  {
    name: 'does not begin its answer',
    reply: { do: 'silence' } as const,
    env: { KIT_MODEL_FIRST_BYTE_S: 1 },
    error: /no answer began within 1 s \(KIT_MODEL_FIRST_BYTE_S\)/,
  },
  {
    name: 'falls silent in the midst of it',
    reply: { do: 'stall', text: 'so far' } as const,
    env: { KIT_MODEL_SILENCE_S: 1 },
    error: /nothing came for 1 s \(KIT_MODEL_SILENCE_S\)/,
  },
])('a server that $name is given up, long before the time of the whole call', async ({ reply, env, error }) => {
  server.script(reply);
  const { world } = await askedWorld(open, never, { clock: createClock(), env, facilities: () => ({ provider }) });

  await world.run();

  const row = await world.row();
  expect(row).toMatchObject({ status: 'failed', reason: 'provider.timeout', usage: { estimated: true } });
  expect(row.error).toMatch(error);
});
