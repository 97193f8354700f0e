import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILIES } from '../plugins/models/families/family-cases.js';
import { OLLAMA } from '../support/components/provider-servers/ollama.js';
import { startProviderServer } from '../support/components/provider-servers/server.js';
import { talk } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const THOUGHT = { text: 'what it thought', signature: 'signed-by-the-service' };
const KEY = 'key-of-the-test-5b1d';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const own = (spec: string): string => `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: own, name: Own, description: The model server of a test. }
spec: ${spec}
provenance: { authored_by: human, version: 1.0.0 }
`;

const bytesBelow = (root: string): string =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

describe('a run over a provider file', () => {
  it.each(FAMILIES)(
    'that extends $id delegates, hears its child and answers',
    async ({ id, protocol, model, hasCachedTokens, hasCost }) => {
      const server = await startProviderServer(protocol);
      try {
        const spec = `{ extends: ${id}, base_url: "\${MODEL_URL}", auth: { api_key_env: OWN_KEY } }`;
        const dir = world.files(`of-${id}`, talk({ provider: 'own', files: { 'providers/own.yaml': own(spec) } }));
        const usage = { prompt: 100, completion: 10, cached: 40, ...(hasCost ? { cost: 0.001 } : {}) };
        server.script(
          {
            do: 'answer',
            reasoning: THOUGHT,
            calls: [{ id: 'c1', name: 'delegate_to_helper', arguments: { task: 'look it up' } }],
            usage,
          },
          { do: 'answer', text: 'the helper found it', usage },
          { do: 'answer', text: 'the boss answers', usage },
        );

        const result = await world.here(['run', dir, 'talk', '--input', 'hi', '--json'], {
          env: { MODEL_URL: server.url, OWN_KEY: KEY, KIT_MODEL: model },
        });

        expect(server.problems).toEqual([]);
        expect(result).toMatchObject({ code: 0, stderr: '' });
        expect(lastOf(result)).toMatchObject({ type: 'result', status: 'completed', output: 'the boss answers' });
        expect(server.requests).toHaveLength(3);
        expect(JSON.stringify(server.requests[2]?.body)).toContain('the helper found it');
        // What the service signed goes back to it, through the journal; the others have nothing of
        // that kind.
        expect(JSON.stringify(server.requests[2]?.body).includes(THOUGHT.signature)).toBe(
          ['openai', 'anthropic', 'google'].includes(id),
        );
        const calls = eventsOf(result).filter(({ type }) => type === 'model.called');
        expect(calls).toHaveLength(3);
        expect(JSON.stringify(calls)).toContain(
          hasCachedTokens ? '"cached_input_tokens":40' : '"cached_input_tokens":0',
        );
        expect(`${result.stdout}${bytesBelow(dir)}`).not.toContain(KEY);
      } finally {
        await server.close();
      }
    },
  );

  it('is the same over an entry of model_providers', async () => {
    const [family] = FAMILIES.filter(({ id }) => id === 'anthropic');
    if (family === undefined) throw new Error('no case');
    const server = await startProviderServer(family.protocol, { do: 'answer', text: 'from the entry' });
    try {
      const workspace =
        'model_providers:\n  - { class: anthropic, provider_id: own, config: { base_url: "${MODEL_URL}", api_key_env: OWN_KEY } }\n';
      const dir = world.files('entry', talk({ provider: 'own', workspace }));
      const run = (env: NodeJS.ProcessEnv) =>
        world.here(['run', dir, 'talk', '--input', 'hi'], { env: { MODEL_URL: server.url, ...env } });

      expect(await run({ OWN_KEY: KEY })).toMatchObject({ code: 0, stdout: 'from the entry\n' });
      expect(server.requests[0]?.headers['x-api-key']).toBe(KEY);
      const refused = await run({});
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/KIT_PROVIDER_KEY_MISSING[\s\S]*OWN_KEY/);
    } finally {
      await server.close();
    }
  });
});

describe('a bundled provider of this machine', () => {
  it('is found where its variable says', async () => {
    const server = await startProviderServer(OLLAMA, { do: 'answer', text: 'from this machine' });
    try {
      const dir = world.files('bundled', talk({ provider: 'ollama' }));
      const result = await world.here(['run', dir, 'talk', '--input', 'hi'], { env: { OLLAMA_BASE_URL: server.url } });

      expect(result).toMatchObject({ code: 0, stdout: 'from this machine\n' });
    } finally {
      await server.close();
    }
  });
});

describe('a provider of the workspace that is wrong', () => {
  it.each([
    {
      what: 'widens a capability',
      files: { 'providers/own.yaml': own('{ extends: anthropic, capabilities: { structured_output: true } }') },
      code: 'provider.widened-capability',
    },
    {
      what: 'ends in a circle',
      files: {
        'providers/own.yaml': own('{ extends: two }'),
        'providers/two.yaml': own('{ extends: own }').replace('id: own', 'id: two'),
      },
      code: 'provider.cycle',
    },
    {
      what: 'writes what its family cannot use',
      files: { 'providers/own.yaml': own('{ extends: openai, options: { lift_to_root: [a] } }') },
      code: 'provider.unusable-field',
    },
    {
      what: 'needs code',
      files: { 'providers/own.yaml': own('{ extends: google, requires: code }') },
      code: 'provider.requires-code',
    },
    {
      what: 'reaches no family',
      files: { 'providers/own.yaml': own('{ extends: nothing }') },
      code: 'provider.unknown-base',
    },
  ])('because it $what is shown with its place, and no run starts', async ({ files, code }) => {
    const dir = world.files(code, talk({ provider: 'own', files }));

    const validated = await world.here(['validate', dir]);
    const run = await world.here(['run', dir, 'talk', '--input', 'hi']);

    expect(validated.code).toBe(1);
    expect(validated.stdout).toMatch(new RegExp(`error\\[${code}\\][^\\n]*\\n\\s+--> providers/own\\.yaml:\\d+:\\d+`));
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/KIT_PROVIDER_INVALID[\s\S]*hint: Run `kit validate -w /);
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });
});
