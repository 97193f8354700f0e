import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PluginHost } from '../../../src/domain/extension-points.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { createPluginHost } from '../../../src/host/plugin-host.js';
import { createCredentialService } from '../../../src/host/secrets.js';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { callOptions, good, request, testContext, textOf } from './helpers.js';

const root = fileURLToPath(new URL('../../../plugins/models/', import.meta.url));
const env = { TEAM_KEY: 'sk-team-secret', OTHER_KEY: 'sk-other-secret', KIT_MOCK_DELEGATE: '' };

/**
 * The host over this plugin's real manifest; its modules are taken from the sources, so that no
 * build is needed.
 */
function openHost(): PluginHost {
  const manifest = readFileSync(`${root}package.json`, 'utf8').replaceAll(/\.\/dist\/([a-z-]+)\.js/g, './src/$1.ts');
  const { name, version, kit } = JSON.parse(manifest);
  const { log, clock, fetch } = testContext();
  const untimed = { ...clock, sleep: () => new Promise<void>(() => {}) };
  const credentials = createCredentialService({
    env,
    files: { readText: async () => null },
    workspaceRoot: root,
    entry: () => null,
    plugins: () => {
      throw new Error('no plugin is needed for a variable');
    },
    log,
  });
  const context = createTestContext();
  return createPluginHost([{ name, version, origin: 'bundled', root, kitKey: kit, commands: [], dropped: [] }], {
    clock: untimed,
    log,
    fetch,
    outbound: context.outbound,
    vaultOf: () => context.vault,
    secretsFor: credentials.secretsFor,
    verifyIntegrity: async () => {},
    importModule: (url) => import(url),
  });
}

let server: ModelServer;
let host: PluginHost;
beforeAll(async () => {
  server = await startModelServer();
  host = openHost();
});
afterAll(async () => {
  await host.dispose();
  await server.close();
});

describe('the providers behind the plugin host', () => {
  test('all of them are listed', () => {
    expect(host.list('modelProviders').map(({ name }) => name)).toEqual([
      'openai-compatible',
      'openai',
      'anthropic',
      'google',
      'ollama',
      'mock',
      'rules',
    ]);
  });

  test('the key is read from the variable that the configuration names', async () => {
    const provider = await host.resolve('modelProviders', 'openai-compatible', {
      base_url: server.url,
      api_key_env: 'TEAM_KEY',
    });

    good(await provider.generate(request(), callOptions()));

    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer sk-team-secret');
  });

  test('mock and rules answer', async () => {
    const mock = await host.resolve('modelProviders', 'mock', {});
    const rules = await host.resolve('modelProviders', 'rules', {});

    expect(textOf(good(await mock.generate(request(), callOptions())))).toBe('mock answer to: hello');
    expect(textOf(good(await rules.generate(request(), callOptions())))).toBe('{"results":{}}');
  });

  test('a configuration that does not fit is refused before any module is loaded', async () => {
    await expect(host.resolve('modelProviders', 'openai-compatible', { api_key: 'x' })).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CONFIG_INVALID',
    });
  });
});
