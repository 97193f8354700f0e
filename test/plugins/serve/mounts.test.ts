import { describe, expect, it } from 'vitest';
import type { MountedGroup } from '../../../src/app/serve/http-app.js';
import type { HttpMount } from '../../../src/domain/ports/http.js';
import { sampleContribution } from '../../support/http/sample-mount.js';
import { as, groupOf, serveParts } from '../../support/http/serve-group.js';

const TEXT = { response: { 200: { type: 'object', properties: { seen: { type: 'string' } } } } } as const;

async function foreign(name: string, register: HttpMount['register']): Promise<MountedGroup> {
  const group = await groupOf(
    sampleContribution,
    {},
    { id: `acme.${name}`, plugin: `@acme/${name}`, isBundled: false, prefix: `/${name}` },
  );
  return { ...group, mount: { register } };
}

/** Ways in which a group cannot be registered. */
const BROKEN: readonly (readonly [string, HttpMount['register']])[] = [
  ['register throws', () => Promise.reject(new Error('no database'))],
  ['its schema is none', (scope) => void scope.get('/x', { schema: { querystring: { type: 'nonsense' } } }, () => {})],
  [
    'a hook of its start throws',
    (scope) => void scope.addHook('onReady', async () => Promise.reject(new Error('not ready'))),
  ],
  [
    'it names a route twice',
    (scope) => {
      scope.get('/x', () => {});
      scope.get('/x', () => {});
    },
  ],
  ['a plugin of it fails later', (scope) => void scope.register(async () => Promise.reject(new Error('nested')))],
];

const own = () => groupOf(sampleContribution, {});

/** A server whose failed mounts are kept. */
async function served(...groups: readonly MountedGroup[]) {
  const failed: string[] = [];
  const server = await serveParts({ groups, onMountFailed: ({ id }, error) => void failed.push(`${id}: ${error}`) });
  return { server, failed };
}

describe("a third party's routes", () => {
  it('lie below its prefix, are described, and are for administrators unless they say otherwise', async () => {
    const things = await foreign('things', (scope) => {
      scope.get('/list', { schema: TEXT }, async () => ({ seen: 'things' }));
      scope.get('/open', { config: { tier: 'read' }, schema: TEXT }, async () => ({ seen: 'open' }));
    });
    const { server } = await served(await own(), things);
    expect((await server.inject({ url: '/things/list', headers: as('run') })).statusCode).toBe(403);
    expect((await server.inject({ url: '/things/list', headers: as('admin') })).json()).toEqual({ seen: 'things' });
    expect((await server.inject({ url: '/things/open', headers: as('read') })).json()).toEqual({ seen: 'open' });
    const { paths } = server.swagger() as { readonly paths: Record<string, unknown> };
    expect(paths).toHaveProperty(['/things/list', 'get', 'x-kit-tier'], 'admin');
    expect(paths).toHaveProperty(['/things/open', 'get', 'x-kit-tier'], 'read');
  });

  it('have hooks, decorators and error handlers that reach nobody else', async () => {
    const seen: string[] = [];
    const nosy = await foreign('nosy', (scope) => {
      scope.addHook('onRequest', async (request) => void seen.push(request.url));
      scope.decorate('nosy', true);
      scope.decorateReply('nosyReply', true);
      scope.setErrorHandler((_error, _request, reply) => reply.code(200).send({ seen: 'taken' }));
      scope.get('/mine', { config: { tier: 'read' }, schema: TEXT }, async () => ({
        seen: String(scope.hasDecorator('nosy')),
      }));
    });
    const other = await foreign('other', (scope) => {
      scope.get('/mine', { config: { tier: 'read' }, schema: TEXT }, async () => ({
        seen: String(scope.hasDecorator('nosy')),
      }));
    });
    const { server } = await served(await own(), nosy, other);
    expect((await server.inject({ url: '/nosy/mine', headers: as('read') })).json()).toEqual({ seen: 'true' });
    expect((await server.inject({ url: '/other/mine', headers: as('read') })).json()).toEqual({ seen: 'false' });
    expect((await server.inject({ url: '/gone', headers: as('read') })).statusCode).toBe(404);
    expect(server.hasDecorator('nosy')).toBe(false);
    expect(seen).toEqual(['/nosy/mine']);
  });

  it('are checked by the same rules when they name schemas of their own', async () => {
    const shapes = await foreign('shapes', (scope) => {
      scope.addSchema({
        $id: 'Shape',
        type: 'object',
        additionalProperties: false,
        required: ['n'],
        properties: { n: { type: 'integer' } },
      });
      const schema = {
        body: { $ref: 'Shape#' },
        querystring: { type: 'object', properties: { limit: { type: 'integer' } } },
      };
      scope.post('/one', { config: { tier: 'read' }, schema: { ...schema, ...TEXT } }, async ({ body, query }) => ({
        seen: JSON.stringify([body, query]),
      }));
    });
    const { server, failed } = await served(await own(), shapes);
    const post = async (payload: object, query = '') =>
      (await server.inject({ method: 'POST', url: `/shapes/one${query}`, headers: as('read'), payload })).json();
    expect(failed).toEqual([]);
    expect(await post({ n: 1 }, '?limit=5')).toEqual({ seen: '[{"n":1},{"limit":5}]' });
    expect(await post({ n: 1, extra: true })).toMatchObject({
      status: 422,
      errors: [{ code: 'additionalProperties' }],
    });
    expect(await post({ n: '1' })).toMatchObject({ status: 422, errors: [{ pointer: '/body/n', code: 'type' }] });
    expect(await post({ n: 1 }, '?limit=many')).toMatchObject({
      status: 422,
      errors: [{ pointer: '/query/limit', code: 'type' }],
    });
  });

  it.each(BROKEN)('are left out by name when %s, and the rest is served', async (_why, register) => {
    const good = await foreign('good', (scope) => {
      scope.get('/x', { config: { tier: 'read' }, schema: TEXT }, async () => ({ seen: 'good' }));
    });
    const { server, failed } = await served(await own(), await foreign('bad', register), good);
    expect(failed).toEqual([expect.stringMatching(/^acme\.bad: /)]);
    expect((await server.inject({ url: '/good/x', headers: as('read') })).json()).toEqual({ seen: 'good' });
    expect((await server.inject({ url: '/read', headers: as('read') })).statusCode).toBe(200);
    expect((await server.inject({ url: '/bad/x', headers: as('admin') })).statusCode).toBe(404);
  });
});

describe("kit's own routes", () => {
  it('must all be there: a broken group stops the start', async () => {
    const broken = { ...(await own()), mount: { register: () => Promise.reject(new Error('broken')) } };
    await expect(served(broken)).rejects.toThrow('broken');
  });

  it('hear when the server begins to stop, so that what is open can be ended', async () => {
    const { createLifecycle } = await import('../../../plugins/serve/src/server/lifecycle.js');
    const lifecycle = createLifecycle('ready');
    const signals: AbortSignal[] = [];
    const group = await foreign('streams', (_scope, { closing }) => void signals.push(closing));
    await serveParts({ lifecycle, groups: [group] });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    lifecycle.become('stopping');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
