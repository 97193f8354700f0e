import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { compileOnFirstUse } from '../../../plugins/serve/src/server/first-use.js';
import { buildValidator, createSchemaCheck } from '../../../plugins/serve/src/server/validator.js';
import { bundledGroups } from '../../support/http/bundled-groups.js';
import { TEST_AUTH } from '../../support/http/serve-group.js';

const NO_APP: object = new Proxy(() => {}, {
  get: (_target, key) => (key === 'then' ? undefined : NO_APP),
  apply: () => () => {},
});

it('every schema of every route that kit brings compiles', async () => {
  const broken: string[] = [];
  // Those of a third party are compiled at the start.
  const groups = (await bundledGroups(NO_APP)).map((group) => ({ ...group, isBundled: false }));
  const onMountFailed = ({ id }: { readonly id: string }, error: unknown): void => void broken.push(`${id}: ${error}`);
  const server = await createServer({ workspace: '/workspace', auth: TEST_AUTH, groups, onMountFailed });
  onTestFinished(() => server.close());

  expect(broken).toEqual([]);
  expect(server.serving.routes().length).toBeGreaterThan(50);
});

it('schemas are compiled by the first request that needs them, once', async () => {
  const compiled: string[] = [];
  const server = Fastify();
  onTestFinished(() => server.close());
  server.addSchema({ $id: 'Thing', type: 'object', properties: { n: { type: 'integer' } } });
  const check = createSchemaCheck();
  const building: typeof buildValidator = (named) => {
    const compile = buildValidator(named);
    return (route) => {
      const { httpPart, url } = route as { readonly httpPart?: string; readonly url?: string };
      compiled.push(`${httpPart} ${url}`);
      return compile(route);
    };
  };
  compileOnFirstUse(server, { check, buildValidator: building });
  const querystring = { type: 'object', properties: { n: { type: 'integer', default: 7 } } };
  for (const url of ['/asked', '/never'])
    server.get(url, { schema: { querystring, response: { 200: { $ref: 'Thing#' } } } }, async ({ query }) => ({
      ...(query as object),
      other: true,
    }));
  await server.ready();
  expect(compiled).toEqual([]);

  expect((await server.inject('/asked?n=3')).json()).toEqual({ n: 3 });
  expect((await server.inject('/asked')).json()).toEqual({ n: 7 });
  const refused = await server.inject('/asked?n=x');
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'querystring/n must be integer']);
  expect((await server.inject('/asked?n=4')).json()).toEqual({ n: 4 });
  expect(compiled).toEqual(['querystring /asked']);
});
