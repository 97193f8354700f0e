import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { createLifecycle } from '../../../plugins/serve/src/server/lifecycle.js';
import { sampleContribution } from '../../support/http/sample-mount.js';
import { as, groupOf, serveGroup, serveParts, TEST_AUTH } from '../../support/http/serve-group.js';

const serve = (): Promise<FastifyInstance> => serveGroup(sampleContribution, {});
const JSON_BODY = { 'content-type': 'application/json' };

/** A server that listens, and what it answers to these bytes. */
async function answerTo(bytes: string): Promise<string> {
  const server = await createServer({
    workspace: '/workspace',
    auth: TEST_AUTH,
    groups: [await groupOf(sampleContribution, {})],
  });
  onTestFinished(() => server.close());
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return new Promise((resolve, reject) => {
    const socket = connect(address.port, '127.0.0.1', () => socket.end(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

describe('who may call', () => {
  it('takes a route without a tier for one of administrators', async () => {
    const server = await serve();
    expect((await server.inject({ url: '/silent', headers: as('run') })).statusCode).toBe(403);
    expect((await server.inject({ url: '/silent', headers: as('admin') })).json()).toEqual({ by: 'alice' });
    expect((await server.inject({ url: '/read', headers: as('read') })).statusCode).toBe(200);
  });

  it('asks for a token before it looks at the body', async () => {
    const refused = await (await serve()).inject({
      method: 'POST',
      url: '/body',
      payload: 'no json',
      headers: JSON_BODY,
    });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="kit"');
  });

  it('lets a route decide by the request what it asks for', async () => {
    const server = await serve();
    const ask = (headers: Record<string, string>) => server.inject({ method: 'POST', url: '/by-request', headers });
    expect((await ask({})).statusCode).toBe(401);
    expect((await ask({ 'x-signed': 'yes' })).json()).toEqual({ by: '' });
    expect((await ask({ ...as('read') })).statusCode).toBe(403);
    expect((await ask({ ...as('run', 'carol') })).json()).toEqual({ by: 'carol' });
  });

  it('tells a stranger of no path whether it exists', async () => {
    const server = await serve();
    for (const url of ['/nowhere', '/read', '/memory'])
      expect((await server.inject({ method: 'DELETE', url })).statusCode, url).toBe(401);
  });

  it('refuses by itself, so that no error handler of a group can answer instead', async () => {
    const group = await groupOf(sampleContribution, {});
    const register = (...[scope, served]: Parameters<typeof group.mount.register>) => {
      scope.setErrorHandler((_error, _request, reply) => reply.code(200).send({ by: 'the group' }));
      return group.mount.register(scope, served);
    };
    const server = await serveParts({ groups: [{ ...group, mount: { register } }] });
    expect((await server.inject({ url: '/silent' })).statusCode).toBe(401);
    expect((await server.inject({ url: '/silent', headers: as('read') })).statusCode).toBe(403);
  });
});

describe('refusals', () => {
  it('are problem documents', async () => {
    const server = await serve();
    expect((await server.inject({ url: '/gone?secret=1' })).json()).toMatchObject({ status: 422, instance: '/gone' });
    const gone = await server.inject({ url: '/gone' });
    expect(gone.headers['content-type']).toContain('application/problem+json');
    expect(gone.json()).toEqual({
      type: 'urn:kit:error:job-unknown',
      title: 'Job unknown',
      status: 404,
      detail: 'there is no run x',
      instance: '/gone',
      code: 'job-unknown',
      hint: 'Ask GET /jobs to list the runs.',
    });
    const misfit = await server.inject({ method: 'POST', url: '/body', payload: { a: '1' }, headers: as('admin') });
    expect(misfit.json()).toMatchObject({
      status: 422,
      code: 'request-invalid',
      errors: [{ pointer: '/body/a', code: 'type' }],
    });
    expect((await server.inject({ url: '/nowhere', headers: as('admin') })).json()).toMatchObject({
      status: 404,
      code: 'route-unknown',
    });
  });

  it('name the values that there are, when one was named that is none', async () => {
    const group = await groupOf(sampleContribution, {});
    const querystring = { type: 'object', properties: { kind: { enum: ['input', 'other'] } } };
    const register: typeof group.mount.register = async (scope) => {
      scope.get('/chosen', { config: { tier: 'public' }, schema: { querystring } }, async () => ({}));
    };
    const server = await serveParts({ groups: [{ ...group, mount: { register } }] });
    const refused = await server.inject('/chosen?kind=nothing');
    expect(refused.json()).toMatchObject({
      status: 422,
      detail: '/query/kind must be one of input, other',
      errors: [{ pointer: '/query/kind', message: 'must be one of input, other', code: 'enum' }],
    });
  });

  it('of a full server say when to come again', async () => {
    const full = await (await serve()).inject({ url: '/full', headers: as('run') });
    expect(full).toMatchObject({ statusCode: 429, headers: { 'retry-after': '3' } });
  });

  it('of a defect tell nothing of the inside', async () => {
    const server = await createServer({
      workspace: '/workspace',
      auth: TEST_AUTH,
      groups: [await groupOf(sampleContribution, {})],
    });
    onTestFinished(() => server.close());
    const bug = await server.inject({ url: '/bug' });
    expect(bug.json()).toMatchObject({ status: 500, code: 'internal', detail: 'the server failed to answer' });
    expect(bug.body).not.toContain('a secret of the inside');
  });

  it.each([
    {
      method: 'POST',
      url: '/body',
      payload: '{',
      headers: { ...JSON_BODY, ...as('admin') },
      status: 400,
      code: 'request-malformed',
    },
    {
      method: 'POST',
      url: '/body',
      payload: '<a/>',
      headers: { 'content-type': 'text/xml', ...as('admin') },
      status: 415,
      code: 'media-type-unsupported',
    },
    {
      method: 'POST',
      url: '/body',
      payload: '{"__proto__":1,"a":1}',
      headers: { ...JSON_BODY, ...as('admin') },
      status: 400,
      code: 'request-malformed',
    },
    {
      method: 'POST',
      url: '/body',
      payload: 'x'.repeat(1024 * 1024 + 1),
      headers: { ...JSON_BODY, ...as('admin') },
      status: 413,
      code: 'request-too-large',
    },
    { method: 'GET', url: '/things/%', headers: as('read'), status: 400, code: 'request-malformed' },
    { method: 'GET', url: '/things/%ff', headers: as('read'), status: 400, code: 'request-malformed' },
    { method: 'GET', url: `/things/${'a'.repeat(1025)}`, headers: as('read'), status: 400, code: 'request-malformed' },
    { method: 'DELETE', url: '/read', headers: as('read'), status: 405, code: 'method-not-allowed' },
    { method: 'GET', url: '/body', headers: as('read'), status: 405, code: 'method-not-allowed' },
    { method: 'GET', url: '/read/', headers: as('read'), status: 404, code: 'route-unknown' },
    { method: 'GET', url: '//read', headers: as('read'), status: 404, code: 'route-unknown' },
  ] as const)('answers $method $url with $status $code', async ({ status, code, ...request }) => {
    const response = await (await serve()).inject(request);
    expect(response.json()).toMatchObject({ status, code });
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'kit-version': '0.0.0',
      'cache-control': 'no-store',
    });
    expect(response.headers['x-request-id']).toBeTruthy();
  });

  it.each([
    ['no HTTP at all\r\n\r\n', 400],
    [`GET /read HTTP/1.1\r\nhost: kit\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('of bytes that are not a request are problem documents as well (%#)', async (bytes, status) => {
    const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toMatchObject({ status, code: 'request-malformed' });
  });
});

describe('paths and methods', () => {
  it('decode a part of a path once', async () => {
    const server = await serve();
    const idOf = async (text: string) =>
      (await server.inject({ url: `/things/${text}`, headers: as('read') })).json().by;
    expect(await idOf('a%2Fb')).toBe('a/b');
    expect(await idOf('a%252Fb')).toBe('a%2Fb');
    expect(await idOf('run:agent')).toBe('run:agent');
  });

  it('name the methods of a known path', async () => {
    const server = await serve();
    expect((await server.inject({ method: 'DELETE', url: '/read', headers: as('read') })).headers.allow).toBe(
      'GET, HEAD, OPTIONS, PUT',
    );
    const options = await server.inject({ method: 'OPTIONS', url: '/things/x', headers: as('read') });
    expect(options).toMatchObject({ statusCode: 204, body: '', headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect((await server.inject({ method: 'OPTIONS', url: '/nowhere', headers: as('read') })).statusCode).toBe(404);
  });

  it('answer HEAD as GET without its body', async () => {
    const server = await serve();
    const head = await server.inject({ method: 'HEAD', url: '/read', headers: as('read') });
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers['content-length']).toBe(String('{"by":"alice"}'.length));
    expect((await server.inject({ method: 'HEAD', url: '/read' })).statusCode).toBe(401);
  });

  it('say of pipelines what does their work', async () => {
    const response = await (await serve()).inject({ method: 'POST', url: '/pipelines/x', headers: as('admin') });
    expect(response.json()).toMatchObject({
      status: 404,
      code: 'route-unknown',
      hint: expect.stringContaining('removed in 1.189'),
    });
  });
});

describe('a body that is not there', () => {
  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'has no type, whatever the caller names: %s',
    async (type) => {
      const server = await serve();
      const ask = (url: string) =>
        server.inject({
          method: 'POST',
          url,
          headers: { 'content-type': type, 'content-length': '0', ...as('admin') },
        });
      expect((await ask('/by-request')).json()).toEqual({ by: 'alice' });
      expect((await ask('/body')).json()).toMatchObject({
        status: 422,
        code: 'request-invalid',
        detail: '/body must be object',
      });
    },
  );
});

describe('the id of a request', () => {
  it('is the one that the caller gave', async () => {
    const response = await (await serve()).inject({ url: '/gone', headers: { 'x-request-id': 'abc 123' } });
    expect(response.headers['x-request-id']).toBe('abc 123');
  });

  it.each(['', 'a\tb', 'é', 'x'.repeat(129)])(
    'is a new one in place of one that is too long or not printable (%#)',
    async (given) => {
      const response = await (await serve()).inject({ url: '/gone', headers: { 'x-request-id': given } });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('other origins', () => {
  const origins = ['https://app.example', 'http://localhost:3000'];
  const withOrigins = async (corsOrigins: readonly string[]) =>
    serveParts({ corsOrigins, groups: [await groupOf(sampleContribution, {})] });
  const preflight = {
    method: 'OPTIONS',
    url: '/body',
    headers: { origin: origins[0], 'access-control-request-method': 'POST' },
  } as const;

  it('are answered before anybody is authenticated, when they are listed', async () => {
    const server = await withOrigins(origins);
    const allowed = await server.inject({
      ...preflight,
      headers: { ...preflight.headers, 'access-control-request-headers': 'authorization' },
    });
    expect(allowed).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'authorization',
      },
    });
    expect(allowed.headers['access-control-allow-methods']).toContain('PUT');
    expect(allowed.headers.vary).toContain('Origin');
  });

  it.each(['https://app.example.evil', 'https://APP.example', 'https://app.example:443', 'null', 'http://app.example'])(
    'do not match %s',
    async (origin) => {
      const server = await withOrigins(origins);
      const refused = await server.inject({ ...preflight, headers: { ...preflight.headers, origin } });
      expect(refused.statusCode).toBe(401);
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
      expect(refused.headers.vary).toBe('Origin');
    },
  );

  it('get their answers with the headers that a script may read', async () => {
    const server = await withOrigins(origins);
    const response = await server.inject({ url: '/read', headers: { ...as('read'), origin: origins[1] } });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': origins[1],
      'access-control-allow-credentials': 'true',
    });
    expect(response.headers['access-control-expose-headers']).toContain('Location');
  });

  it('are all welcome with *, and then without credentials', async () => {
    const server = await withOrigins(['*']);
    const response = await server.inject({
      ...preflight,
      headers: { ...preflight.headers, origin: 'https://any.example' },
    });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('are unknown to a server without any', async () => {
    const response = await (await serve()).inject(preflight);
    expect(response.statusCode).toBe(401);
    expect(response.headers).not.toHaveProperty('vary');
  });
});

describe('a server that starts or stops', () => {
  it('answers 503 before it asks who calls, and closes connections while it stops', async () => {
    const lifecycle = createLifecycle('starting');
    const server = await serveParts({ lifecycle, groups: [await groupOf(sampleContribution, {})] });
    const starting = await server.inject('/read');
    expect(starting.json()).toMatchObject({ status: 503, code: 'not-ready', detail: 'the server is starting' });
    lifecycle.become('ready');
    expect((await server.inject({ url: '/read', headers: as('read') })).statusCode).toBe(200);
    lifecycle.become('stopping');
    const stopping = await server.inject('/read');
    expect(stopping).toMatchObject({ statusCode: 503, headers: { connection: 'close' } });
    lifecycle.become('ready');
    expect((await server.inject('/read')).statusCode).toBe(503);
    expect(lifecycle.closing.aborted).toBe(true);
  });
});

describe('a body of very many values', () => {
  const values = (count: number): string => `{"a":1,"b":[${Array.from({ length: count }, () => '[]').join(',')}]}`;
  const sent = async (payload: string) => {
    const server = await serve();
    return server.inject({
      method: 'POST',
      url: '/body',
      headers: { ...as('admin'), 'content-type': 'application/json' },
      payload,
    });
  };

  it('is refused before it is parsed, and one that has no more than allowed is taken', async () => {
    expect((await sent(values(60_000))).statusCode).toBe(200);
    expect((await sent(values(150_000))).json()).toMatchObject({ status: 413, code: 'request-too-large' });
  });
});
