import { describe, expect, it } from 'vitest';
import { createHttpApp, type HttpDeps } from '../../../src/app/serve/create-http-app.js';
import { narrowApp } from '../../../src/app/serve/narrow-app.js';
import { KitError } from '../../../src/domain/errors.js';
import type { ContributionInfo, PluginHost } from '../../../src/domain/extension-points.js';

interface Mounting {
  readonly plugin: string;
  readonly name: string;
  readonly prefix?: string;
  readonly uses?: readonly string[];
  readonly failure?: KitError;
}

const OWN = '@kit-run/plugin-serve';

function hostOf(mountings: readonly Mounting[]): PluginHost {
  const infos = mountings.map(
    ({ plugin, name, prefix = '', uses = [] }): ContributionInfo => ({
      point: 'httpMounts',
      id: `test.${name}`,
      name,
      title: name,
      plugin,
      effects: [],
      configSchema: null,
      adapters: [],
      mount: { prefix, uses, tier: 'read' },
    }),
  );
  return {
    list: () => infos,
    find: () => null,
    installedSince: () => Promise.resolve(null),
    usableNow: () => Promise.resolve({}),
    resolve: async (_point, id) => {
      const failure = mountings.find(({ name }) => `test.${name}` === id)?.failure;
      if (failure !== undefined) throw failure;
      return { register: () => {} } as never;
    },
    retry: () => Promise.reject(new Error('not asked')),
    report: () =>
      mountings.map(({ plugin }) => ({ name: plugin, origin: plugin === OWN ? 'bundled' : 'user' }) as never),
    dispose: async () => {},
  };
}

const APP = { runs: { start: () => 'started' }, review: {}, close: () => {}, http: {} };

const httpApp = (mountings: readonly Mounting[]) =>
  createHttpApp({ openHost: async () => hostOf(mountings), app: () => APP, notes: [] } as unknown as HttpDeps);

describe('the mounts of a server', () => {
  it("are kit's own first, then those of third parties below their prefix", async () => {
    const { groups, failed } = await httpApp([
      { plugin: '@acme/things', name: 'things', prefix: '/acme/things' },
      { plugin: OWN, name: 'own', uses: ['runs'] },
    ]).mounts('/w');
    expect(groups.map(({ id, isBundled, prefix, tier }) => ({ id, isBundled, prefix, tier }))).toEqual([
      { id: 'test.own', isBundled: true, prefix: '', tier: 'read' },
      { id: 'test.things', isBundled: false, prefix: '/acme/things', tier: 'read' },
    ]);
    expect(failed).toEqual([]);
  });

  it.each([
    [{ plugin: '@acme/a', name: 'a' }, 'has no prefix'],
    [{ plugin: '@acme/a', name: 'a', prefix: '/jobs/mine' }, '/jobs belongs to kit'],
    [{ plugin: '@acme/a', name: 'a', prefix: '/memory' }, '/memory belongs to kit'],
    [
      { plugin: '@acme/a', name: 'a', prefix: '/acme', uses: ['runs', 'nothing'] },
      'uses nothing, which kit does not have; there are runs, review',
    ],
    [{ plugin: '@acme/a', name: 'a', prefix: '/acme', uses: ['close'] }, 'uses close, which kit does not have'],
    [
      {
        plugin: '@acme/a',
        name: 'a',
        prefix: '/acme',
        failure: new KitError('KIT_PLUGIN_LOAD_FAILED', 'test.a could not be imported'),
      },
      'could not be imported',
    ],
  ])('leave a third party out and say why: %j', async (mounting, reason) => {
    const { groups, failed } = await httpApp([mounting, { plugin: OWN, name: 'own' }]).mounts('/w');
    expect(groups.map(({ id }) => id)).toEqual(['test.own']);
    expect(failed).toEqual([{ id: 'test.a', plugin: '@acme/a', reason: expect.stringContaining(reason) }]);
  });

  it('give a first segment that two plugins claim to neither, and to one plugin as often as it likes', async () => {
    const { groups, failed } = await httpApp([
      { plugin: '@acme/a', name: 'a', prefix: '/shared/a' },
      { plugin: '@other/b', name: 'b', prefix: '/shared/b' },
      { plugin: '@third/c', name: 'c', prefix: '/third/c' },
      { plugin: '@third/c', name: 'd', prefix: '/third/d' },
    ]).mounts('/w');
    expect(groups.map(({ id }) => id)).toEqual(['test.c', 'test.d']);
    expect(failed.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('@other/b'),
      expect.stringContaining('@acme/a'),
    ]);
  });

  it("do not come without kit's own: a broken one stops the start", async () => {
    const failure = new KitError('KIT_PLUGIN_LOAD_FAILED', 'own could not be imported');
    await expect(httpApp([{ plugin: OWN, name: 'own', failure }]).mounts('/w')).rejects.toThrow(failure);
    await expect(httpApp([{ plugin: OWN, name: 'own', uses: ['nothing'] }]).mounts('/w')).rejects.toMatchObject({
      code: 'KIT_PLUGIN_MOUNT_REFUSED',
    });
  });
});

describe('the use cases of a mount', () => {
  it('are those that its manifest names; another one throws and names the key', () => {
    const app = narrowApp(APP, { id: 'acme.things', uses: ['runs'] }) as typeof APP;
    expect(app.runs.start()).toBe('started');
    expect(() => app.review).toThrow(
      expect.objectContaining({
        code: 'KIT_PLUGIN_CALL_FAILED',
        message: expect.stringContaining('kit.contributes.httpMounts[].uses'),
      }),
    );
    expect(() => app.close).toThrow('acme.things used close');
    expect('review' in app).toBe(false);
  });

  it('can be awaited and printed without being used', async () => {
    const app = narrowApp(APP, { id: 'acme.things', uses: [] });
    expect(await Promise.resolve(app)).toBe(app);
    expect(JSON.stringify(app)).toBe('{}');
    expect(Object.keys(app)).toEqual([]);
  });

  it('cannot be changed', () => {
    const app = narrowApp(APP, { id: 'acme.things', uses: ['runs'] }) as { runs: unknown };
    expect(() => {
      app.runs = null;
    }).toThrow(TypeError);
  });
});
