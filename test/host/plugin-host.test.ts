import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PluginHost, PluginOrigin } from '../../src/domain/extension-points.js';
import type { ExecutorContext, ExecutorRequest } from '../../src/domain/ports/executor.js';
import { createTestContext } from '../../src/domain/testing.js';
import { createPluginHost, type HostParts, type PluginCandidate } from '../../src/host/plugin-host.js';
import { FakeClock } from '../support/fake-clock.js';
import { writePlugin } from '../support/plugin-package.js';

const stamped = (body: string): string =>
  `export const contribution = { $$type: 'kit.executors', version: 1, create: ${body} };`;
const declared = (id: string, file: string, more: object = {}): object => ({
  id: `acme.${id}`,
  name: id,
  title: id,
  module: `./dist/${file}.js`,
  effects: [],
  ...more,
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-host-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
/** A candidate whose only module is `dist/x.js` with the given source. */
async function candidate(
  source: string,
  more: {
    readonly contribution?: object;
    readonly origin?: PluginOrigin;
    readonly name?: string;
    readonly files?: Record<string, string>;
  } = {},
): Promise<PluginCandidate> {
  const name = more.name ?? `@acme/p${count++}`;
  const contributes = { executors: [more.contribution ?? declared('x', 'x')] };
  const root = await writePlugin(join(folder, String(count++)), {
    name,
    contributes,
    files: { 'dist/x.js': source, ...more.files },
  });
  return {
    name,
    version: '1.0.0',
    origin: more.origin ?? 'user',
    root,
    kitKey: { manifestVersion: 1, api: '^1.0.0', contributes },
    commands: [],
    dropped: [],
  };
}

interface World {
  readonly host: PluginHost;
  readonly clock: FakeClock;
  readonly imported: string[];
  readonly warnings: string[];
}

function open(candidates: readonly PluginCandidate[], more: Partial<HostParts> = {}): World {
  const clock = new FakeClock();
  const imported: string[] = [];
  const warnings: string[] = [];
  const silent = () => {};
  const context = createTestContext();
  const host = createPluginHost(candidates, {
    clock,
    log: { debug: silent, info: silent, warn: (message) => warnings.push(message), error: silent },
    fetch: globalThis.fetch,
    outbound: context.outbound,
    vaultOf: () => context.vault,
    secretsFor: () => ({ env: () => null, credential: async () => '' }),
    verifyIntegrity: async () => {},
    importModule: (url) => {
      imported.push(url);
      return import(/* @vite-ignore */ url);
    },
    ...more,
  });
  onTestFinished(() => host.dispose());
  return { host, clock, imported, warnings };
}

const request = { statement: 'hi' } as ExecutorRequest; // the fixtures read nothing else
const context = {} as ExecutorContext;

describe('listing', () => {
  it('imports nothing and knows ids, names and schemas', async () => {
    const plugin = await candidate('throw new Error("imported")', {
      contribution: declared('x', 'x', { configSchema: './schemas/x.json' }),
      files: { 'schemas/x.json': '{"type":"object"}' },
    });
    const { host, imported } = open([plugin]);

    expect(host.list('executors')).toMatchObject([{ id: 'acme.x', name: 'x', configSchema: { type: 'object' } }]);
    expect(host.find('executors', 'acme.x')).toEqual(host.find('executors', 'x'));
    expect(host.find('modelProviders', 'x')).toBeNull();
    expect(imported).toEqual([]);
  });

  it.each([
    ['api *', { api: '*' }, 'KIT_PLUGIN_MANIFEST_INVALID'],
    ['api >=1.0.0, which the next major satisfies too', { api: '>=1.0.0' }, 'KIT_PLUGIN_MANIFEST_INVALID'],
    ['a newer minor than the host has', { api: '^1.99.0' }, 'KIT_PLUGIN_API_MISMATCH'],
    ['another major', { api: '^2.0.0' }, 'KIT_PLUGIN_API_MISMATCH'],
    ['a point that does not exist', { contributes: { wizards: [] } }, 'KIT_PLUGIN_MANIFEST_INVALID'],
    [
      'a missing config schema file',
      { contributes: { executors: [declared('x', 'x', { configSchema: './no.json' })] } },
      'KIT_PLUGIN_MANIFEST_INVALID',
    ],
  ])('rejects %s', async (_name, key, code) => {
    const plugin = await candidate('');
    const { host } = open([{ ...plugin, kitKey: { manifestVersion: 1, api: '^1.0.0', contributes: {}, ...key } }]);

    expect(host.report()).toMatchObject([{ state: 'rejected', code, contributions: [] }]);
  });

  it('reports a duplicate id on both sides and lets the bundled one keep it', async () => {
    const bundled = await candidate(stamped("() => ({ run: () => 'bundled' })"), {
      origin: 'bundled',
      name: '@kit-run/plugin-b',
    });
    const foreign = await candidate(stamped("() => ({ run: () => 'foreign' })"));
    const { host } = open([foreign, bundled]);

    expect(host.report().map(({ code }) => code)).toEqual(['KIT_PLUGIN_DUPLICATE_ID', 'KIT_PLUGIN_DUPLICATE_ID']);
    expect(host.list('executors')).toMatchObject([{ plugin: '@kit-run/plugin-b' }]);
  });

  it('gives an id that two foreign plugins claim to neither', async () => {
    const { host } = open([await candidate(''), await candidate('')]);

    expect(host.report().map(({ state }) => state)).toEqual(['rejected', 'rejected']);
    await expect(host.resolve('executors', 'x', {})).rejects.toMatchObject({ code: 'KIT_PLUGIN_UNKNOWN' });
  });
});

describe('activation', () => {
  it('imports once, creates once per configuration, and reports the state', async () => {
    const { host, imported } = open([await candidate(stamped('(config) => ({ run: async () => config })'))]);

    const [a, again, b] = await Promise.all([
      host.resolve('executors', 'x', { n: 1 }),
      host.resolve('executors', 'acme.x', { n: 1 }),
      host.resolve('executors', 'x', { n: 2 }),
    ]);

    expect(a).toBe(again);
    expect(await b.run(request, context)).toEqual({ n: 2 });
    expect(imported).toHaveLength(1);
    expect(host.report()).toMatchObject([{ state: 'active', code: null, importMs: 0, createMs: 0 }]);
  });

  it('checks the configuration before it imports', async () => {
    const plugin = await candidate('throw new Error("imported")', {
      contribution: declared('x', 'x', { configSchema: './schemas/x.json' }),
      files: { 'schemas/x.json': '{"type":"object","additionalProperties":false}' },
    });
    const { host, imported } = open([plugin]);

    await expect(host.resolve('executors', 'x', { wrong: 1 })).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CONFIG_INVALID',
    });
    expect(imported).toEqual([]);
  });

  it('checks the integrity of a foreign plugin before it imports, and never of a bundled one', async () => {
    const verifyIntegrity = (): Promise<void> =>
      Promise.reject(Object.assign(new Error('edited'), { code: 'KIT_PLUGIN_INTEGRITY' }));
    const foreign = open([await candidate('')], { verifyIntegrity });
    const bundled = open([await candidate(stamped('() => ({})'), { origin: 'bundled' })], { verifyIntegrity });

    await expect(foreign.host.resolve('executors', 'x', {})).rejects.toThrow('edited');
    await bundled.host.resolve('executors', 'x', {});
    expect(foreign.imported).toEqual([]);
    expect(bundled.imported).toHaveLength(1);
  });

  it.each([
    ['a module that throws', 'throw new Error("boom")'],
    ['a module without the export', 'export const other = 1;'],
    [
      'the tag of another point',
      "export const contribution = { $$type: 'kit.modelProviders', version: 1, create() {} };",
    ],
    ['a create that throws', stamped('() => { throw new Error("boom"); }')],
  ])('remembers the failure of %s and gives the same error again', async (_name, source) => {
    const { host, imported } = open([await candidate(source)]);

    const first: unknown = await host.resolve('executors', 'x', {}).catch((error: unknown) => error);
    const second: unknown = await host.resolve('executors', 'x', {}).catch((error: unknown) => error);

    expect(first).toMatchObject({
      code: 'KIT_PLUGIN_LOAD_FAILED',
      message: expect.stringContaining('acme.x of @acme/p'),
    });
    expect(second).toBe(first);
    expect(imported).toHaveLength(1);
    expect(host.report()).toMatchObject([{ state: 'failed', code: 'KIT_PLUGIN_LOAD_FAILED' }]);
  });

  it.each([
    ['import', 'globalThis.kitTestReached = true; await new Promise(() => {});'],
    ['create', stamped('() => { globalThis.kitTestReached = true; return new Promise(() => {}); }')],
  ])('gives up on an %s that takes longer than five seconds', async (_name, source) => {
    const { host, clock } = open([await candidate(source)]);
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'kitTestReached'));

    const resolving = host.resolve('executors', 'x', {}).catch((error: unknown) => error);
    while (!('kitTestReached' in globalThis)) await clock.advance(0);
    await clock.advance(5000);

    expect(await resolving).toMatchObject({
      code: 'KIT_PLUGIN_LOAD_FAILED',
      message: expect.stringContaining('5000 ms'),
    });
  });

  it('names plugin, point and id when a call throws or rejects, and lets refusals with a code through', async () => {
    const source = `${stamped(`() => ({
      async run(request) {
        if (request.statement === 'coded') throw Object.assign(new Error('no'), { [Symbol.for('kit.error')]: true, code: 'KIT_CREDENTIAL_UNRESOLVED' });
        throw new Error('boom');
      },
    })`)}`;
    const { host } = open([await candidate(source)]);
    const executor = await host.resolve('executors', 'x', {});

    await expect(executor.run(request, context)).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CALL_FAILED',
      data: { point: 'executors', id: 'acme.x' },
    });
    await expect(executor.run({ ...request, statement: 'coded' }, context)).rejects.toMatchObject({
      code: 'KIT_CREDENTIAL_UNRESOLVED',
    });
  });
});

describe('disposal', () => {
  it('goes in reverse order, aborts the signal, survives a throw and a hang, and closes the host', async () => {
    const order: string[] = [];
    Object.assign(globalThis, { kitTestOrder: order });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'kitTestOrder'));
    const source = stamped(`(config, ctx) => ({ dispose: async () => {
      globalThis.kitTestOrder.push(config.name + ':' + ctx.signal.aborted);
      if (config.name === 'throws') throw new Error('no');
      if (config.name === 'hangs') await new Promise(() => {});
    } })`);
    const { host, clock, warnings } = open([await candidate(source)]);
    for (const name of ['hangs', 'throws', 'good']) await host.resolve('executors', 'x', { name });

    const disposing = host.dispose();
    while (clock.sleeping === 0 || order.length < 3) await clock.advance(0);
    await clock.advance(5000);
    await disposing;

    expect(order).toEqual(['good:true', 'throws:true', 'hangs:true']);
    expect(warnings).toHaveLength(2);
    expect(host.report()).toMatchObject([{ state: 'disposed' }]);
    await expect(host.resolve('executors', 'x', {})).rejects.toMatchObject({ code: 'KIT_INTERNAL' });
  });
});
