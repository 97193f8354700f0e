import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestHost, readFixtures, type TestHost, type TestHostOptions } from '../../src/sdk/testing.js';
import { writePlugin } from '../support/plugin-package.js';

let folder: string;
let plugin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-test-host-'));
  plugin = await writePlugin(folder, {
    name: 'kit-plugin-x',
    contributes: {
      credentialSources: [
        {
          id: 'acme.x',
          name: 'x',
          title: 'X',
          module: './dist/x.js',
          configSchema: './schemas/x.json',
          effects: [],
          env: ['TOKEN'],
        },
      ],
    },
    files: {
      // What kit's define function stamps, written out: this plugin is loaded by the test runner,
      // past the exports.
      'dist/x.js': `export const contribution = { $$type: 'kit.credentialSources', version: 1, create: (config, ctx) => ({
        resolve: async (name) => {
          ctx.log.info('asked', { name });
          if (name === 'slow') await ctx.clock.sleep(1000);
          if (name === 'net') await ctx.fetch('http://127.0.0.1:59999/');
          return [ctx.secrets.env('TOKEN'), ctx.secrets.env('OTHER'), ctx.clock.now()].join(' ');
        },
      }) };`,
      'schemas/x.json': '{"type":"object","additionalProperties":false}',
    },
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(options: Partial<TestHostOptions> = {}): Promise<TestHost> {
  const opened = await createTestHost({ plugin, ...options });
  onTestFinished(() => opened.dispose());
  return opened;
}

describe('a test host', () => {
  it('gives a contribution what its manifest declares and nothing else, and records its log', async () => {
    const opened = await open({ env: { TOKEN: 'a token', OTHER: 'not declared' } });
    const source = await opened.host.resolve('credentialSources', 'x', {});

    expect(await source.resolve('team', {})).toBe(`a token  ${opened.clock.now()}`);
    expect(opened.log).toEqual([{ level: 'info', message: 'asked', data: { name: 'team' } }]);
  });

  it('refuses a configuration that does not fit before anything is imported', async () => {
    const { host } = await open();

    await expect(host.resolve('credentialSources', 'x', { no: 1 })).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CONFIG_INVALID',
    });
    expect(host.report()).toMatchObject([{ state: 'registered', importMs: null }]);
  });

  it('has a clock that moves when the test moves it, and no network unless one is given', async () => {
    const opened = await open();
    const source = await opened.host.resolve('credentialSources', 'x', {});
    const slow = source.resolve('slow', {});
    await opened.clock.advance(1000);

    await expect(slow).resolves.toContain(String(opened.clock.now()));
    await expect(source.resolve('net', {})).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CALL_FAILED',
      message: expect.stringContaining('no network'),
    });
  });

  it('leaves nothing behind, also when it is disposed twice', async () => {
    const opened = await open();
    const wasThere = existsSync(opened.directory);
    await opened.dispose();
    await opened.dispose();

    expect([wasThere, existsSync(opened.directory)]).toEqual([true, false]);
  });

  it('refuses a folder without a package', async () => {
    await expect(createTestHost({ plugin: folder })).rejects.toMatchObject({ code: 'KIT_PLUGIN_LOAD_FAILED' });
  });
});

describe('the fixtures of a package', () => {
  it('are none without a file', async () => {
    expect(await readFixtures(plugin)).toEqual({});
  });

  it.each([
    ['no JSON', '{', /contract\.json cannot be used/],
    ['a point that there is not', '{"compresors":{}}', /"compresors" is not allowed here/],
    [
      'a configuration for a credential source',
      '{"credentialSources":{"acme.x":{"config":{}}}}',
      /"config" is not allowed here/,
    ],
    ['a deadline that is none', '{"executors":{"acme.x":{"deadlineMs":0}}}', /deadlineMs/],
  ])('are refused when they hold %s', async (_name, text, message) => {
    const root = await writePlugin(await mkdtemp(join(folder, 'f-')), {
      name: 'x',
      files: { 'test/contract.json': '' },
    });
    await writeFile(join(root, 'test/contract.json'), text);

    await expect(readFixtures(root)).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CONFIG_INVALID',
      message: expect.stringMatching(message),
    });
  });
});
