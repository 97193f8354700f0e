import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { contribution as anthropic } from '../../../plugins/models/src/anthropic.js';
import { contribution as google } from '../../../plugins/models/src/google.js';
import { contribution as mock } from '../../../plugins/models/src/mock.js';
import { contribution as ollama } from '../../../plugins/models/src/ollama.js';
import { contribution as openai } from '../../../plugins/models/src/openai.js';
import { contribution as compatible } from '../../../plugins/models/src/openai-compatible.js';
import { contribution as rules } from '../../../plugins/models/src/rules.js';

const root = fileURLToPath(new URL('../../../plugins/models/', import.meta.url));
const readJson = async (path: string) => JSON.parse(await readFile(`${root}${path}`, 'utf8'));
const schemaOf = async (name: string) =>
  new Ajv2020({ strict: true, allowUnionTypes: true })
    // What `kit validate` reads of a schema beside the rules.
    .addVocabulary(['x-agent-option', 'x-default', 'x-unit'])
    .compile(await readJson(`schemas/${name}.json`));

/** The root lists them: what a bundled plugin needs lies in the tree of kit. */
const LIBRARIES = ['anthropic', 'google', 'openai', 'openai-compatible', 'provider'].map((name) => `@ai-sdk/${name}`);

describe('the manifest', () => {
  test('names every provider, each with a module and a configuration schema that exist', async () => {
    const { kit } = await readJson('package.json');

    expect(kit.contributes.modelProviders.map((item: { name: string }) => item.name)).toEqual([
      'openai-compatible',
      'openai',
      'anthropic',
      'google',
      'ollama',
      'mock',
      'rules',
    ]);
    for (const { module, configSchema } of kit.contributes.modelProviders) {
      expect(existsSync(`${root}${module.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`), module).toBe(true);
      expect(existsSync(`${root}${configSchema}`), configSchema).toBe(true);
    }
  });

  test('names the exact versions of the libraries that are installed', async () => {
    const { devDependencies } = await readJson('../../package.json');
    const libraries = Object.entries(devDependencies).filter(([name]) => name.startsWith('@ai-sdk/'));

    expect(libraries.map(([name]) => name).sort()).toEqual(LIBRARIES);
    for (const [name, version] of libraries)
      expect((await readJson(`../../node_modules/${name}/package.json`)).version, name).toBe(version);
  });

  test.each([{ compatible }, { openai }, { anthropic }, { google }, { ollama }, { mock }, { rules }])(
    'each module is a tagged contribution: %o',
    (module) => {
      expect(Object.values(module)[0]).toMatchObject({ $$type: 'kit.modelProviders', version: 1 });
    },
  );
});

describe('configuration', () => {
  test.each([
    {
      name: 'server',
      config: { base_url: 'http://localhost:1/v1', api_key_env: 'KEY', scheme: '', capabilities: { tools: false } },
      isValid: true,
    },
    { name: 'server', config: {}, isValid: false },
    { name: 'server', config: { base_url: 'ftp://x' }, isValid: false },
    { name: 'server', config: { base_url: 'http://x', api_key: 'sk-1' }, isValid: false },
    { name: 'server', config: { base_url: 'http://x', api_key_env: 'sk-literal' }, isValid: false },
    {
      name: 'mock',
      config: { script: [{ text: 'x' }, { fail: { kind: 'timeout', times: 1 } }, { tool_calls: [{ name: 'a' }] }] },
      isValid: true,
    },
    { name: 'mock', config: { script: [{ fail: { kind: 'tired' } }] }, isValid: false },
    { name: 'rules', config: {}, isValid: true },
    { name: 'rules', config: { model: 'x' }, isValid: false },
  ])('$name: $config is valid: $isValid', async ({ name, config, isValid }) => {
    expect((await schemaOf(name))(config)).toBe(isValid);
  });
});

describe('start-up', () => {
  test('no module imports a library at load: they are loaded when a provider is created', async () => {
    const files: string[] = [];
    for await (const file of glob('src/**/*.ts', { cwd: root })) files.push(file);
    const eager: string[] = [];
    for (const file of files) {
      const text = await readFile(`${root}${file}`, 'utf8');
      for (const [line, name] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^'.][^']*)';$/gm))
        if (!/^@kit-run\/kit\/(plugin|command)$/.test(name ?? '')) eager.push(`${file}: ${line}`);
    }

    expect(files.length).toBeGreaterThan(20);
    expect(eager).toEqual([]);
  });
});
