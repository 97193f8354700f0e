import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;

const HEAD = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';
const file = (id: string, spec: string) =>
  `apiVersion: kit/v1\nkind: ModelProvider\nmetadata: { id: ${id}, name: X, description: A provider for a look. }\nspec: ${spec}\nprovenance: { authored_by: human, version: 1.0.0 }\n`;

const FILES: Readonly<Record<string, string>> = {
  'good/workspace.yaml': `${HEAD}model_providers:
  - class: kit.anthropic
    provider_id: claude-eu
    config: { base_url: "https://eu.example.org/v1", api_key_env: EU_KEY, headers: { X-Team: blue, X-Token: "\${TOK:-}", X-Api-Key: literal-secret } }
`,
  'good/providers/local.yaml': file(
    'local',
    '{ extends: openai-compatible, base_url: "${MODEL_URL:-http://localhost:1}/v1", auth: { api_key_env: LOCAL_KEY } }',
  ),
  'good/providers/groq.yaml': file('groq', '{ extends: groq, capabilities: { images: false } }'),
  // Not of providers: it has to be of no consequence.
  'good/topologies/broken.yaml': 'kind: Nonsense\n',
  'bad/workspace.yaml': `${HEAD}model_providers: [{ class: ./own.js, provider_id: own }]\n`,
  'bad/providers/wide.yaml': file('wide', '{ extends: anthropic, capabilities: { structured_output: true } }'),
  'bad/providers/c1.yaml': file('c1', '{ extends: c2 }'),
  'bad/providers/c2.yaml': file('c2', '{ extends: c1 }'),
  'bad/providers/unread.yaml': file('unread', '{ extends: ollama, temperature: 1 }'),
  'bad/providers/fine.yaml': file('fine', '{ extends: ollama }'),
};

beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-providers-'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

const kit = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runKitHere(argv, { cwd: dir, env: { ...home.env, ...env } });

describe('kit providers list', () => {
  test('names every provider that an agent may name, where it comes from and whether its key is there', async () => {
    const { code, stdout, stderr } = await kit(['providers', 'list', 'good'], {
      LOCAL_KEY: 'the-key-itself',
      ANTHROPIC_API_KEY: 'another-key',
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^PROVIDER +FAMILY +SOURCE +STATE$/m);
    expect(stdout).toMatch(/^ollama +ollama +\S+ +no key needed$/m);
    expect(stdout).toMatch(/^local +openai-compatible +workspace +ready \(LOCAL_KEY set\)$/m);
    expect(stdout).toMatch(/^groq +openai-compatible +workspace +needs GROQ_API_KEY$/m);
    expect(stdout).toMatch(/^claude-eu +anthropic +workspace +needs EU_KEY$/m);
    expect(stdout).toMatch(/^anthropic +anthropic +bundled +ready \(ANTHROPIC_API_KEY set\)$/m);
    expect(stdout).toMatch(/^google +google +bundled +needs GOOGLE_API_KEY$/m);
    expect(stdout).toMatch(/^ollama +ollama +bundled +no key needed$/m);
    expect(stdout).toMatch(/^mock +mock +plugin +no key needed$/m);
    expect(stdout).not.toMatch(/the-key-itself|another-key|literal-secret/);
  });

  test('says of each that no run could use why, and is exit 1', async () => {
    const { code, stdout } = await kit(['providers', 'list', 'bad']);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^wide .*INVALID `structured_output` cannot be true/m);
    expect(stdout).toMatch(/^c1 .*INVALID providers extend each other: c1 -> c2 -> c1$/m);
    expect(stdout).toMatch(/^c2 .*INVALID/m);
    expect(stdout).toMatch(/^unread .*INVALID unknown field `temperature`$/m);
    expect(stdout).toMatch(/^own .*INVALID no installed plugin contributes \.\/own\.js$/m);
    expect(stdout).toMatch(/^fine +ollama +workspace +no key needed$/m);
  });

  test('speaks JSON', async () => {
    const { code, stdout } = await kit(['providers', 'list', 'bad', '--json']);
    const { type, providers } = JSON.parse(stdout);

    expect({ code, type }).toEqual({ code: 1, type: 'result' });
    expect(providers).toContainEqual({
      id: 'anthropic',
      family: 'anthropic',
      source: 'bundled',
      path: null,
      state: 'needs',
      variable: 'ANTHROPIC_API_KEY',
    });
    expect(providers).toContainEqual({
      id: 'wide',
      family: 'anthropic',
      source: 'workspace',
      path: 'providers/wide.yaml',
      state: 'invalid',
      reason: expect.stringContaining('cannot be true'),
    });
  });

  test('refuses a directory without a workspace, and writes nothing anywhere', async () => {
    expect((await kit(['providers', 'list', 'good/topologies'])).code).toBe(2);
    expect((await readdir(dir, { recursive: true })).filter((path) => path.includes('.kit'))).toEqual([]);
  });
});

describe('kit providers show', () => {
  test('tells how a provider is reached, without any secret', async () => {
    const { code, stdout } = await kit(['providers', 'show', 'claude-eu', 'good'], { EU_KEY: 'the-key-itself' });

    expect(code).toBe(0);
    expect(stdout).toMatch(/chain +claude-eu -> kit\.anthropic/);
    expect(stdout).toMatch(/base_url +https:\/\/eu\.example\.org\/v1/);
    expect(stdout).toMatch(/auth +x-api-key: <EU_KEY> \(set\)/);
    expect(stdout).toMatch(/"X-Team":"blue"/);
    expect(stdout).not.toMatch(/the-key-itself|literal-secret/);
  });

  test('speaks JSON with the names of a provider file', async () => {
    const { stdout } = await kit(['providers', 'show', 'groq', '-w', 'good', '--json']);

    expect(JSON.parse(stdout)).toEqual({
      type: 'result',
      provider: {
        id: 'groq',
        family: 'openai-compatible',
        source: 'workspace',
        path: 'providers/groq.yaml',
        state: 'needs',
        variable: 'GROQ_API_KEY',
        chain: ['groq', 'openai-compatible'],
        base_url: 'https://api.groq.com/openai/v1',
        auth: { api_key_env: 'GROQ_API_KEY', header: 'Authorization', scheme: 'Bearer', is_set: false },
        models: { pattern: '^(gpt-|o1-|o3-|o4-)', accept_any: false },
        capabilities: { images: false, tools: true, streaming: true, structured_output: true },
        lift_to_root: null,
        headers: {},
        extra_body: {},
        context_window: null,
        limits: {},
        prices: [],
      },
    });
  });

  test('refuses an unknown id and says what is close', async () => {
    const { code, stderr } = await kit(['providers', 'show', 'antropic', 'good']);

    expect(code).toBe(2);
    expect(stderr).toContain('KIT_PROVIDER_UNKNOWN');
    expect(stderr).toContain('Did you mean anthropic?');
  });
});
