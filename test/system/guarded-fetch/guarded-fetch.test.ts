import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedFetch, type GuardedFetchParts } from '../../../src/system/guarded-fetch/guarded-fetch.js';

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const local = (parts: Partial<GuardedFetchParts> = {}) =>
  createGuardedFetch({ rules: () => ({ isLocal: true, allow: [] }), ...parts });
const outside = (parts: Partial<GuardedFetchParts> = {}) =>
  createGuardedFetch({ rules: () => ({ isLocal: false, allow: [] }), ...parts });

test('fetches from this machine for whoever sits at it, with headers and body as they were given', async () => {
  const port = await serve((request, response) => {
    response.setHeader(
      'x-got',
      `${request.method} ${request.headers.authorization} ${request.headers['accept-encoding']}`,
    );
    request.pipe(response);
  });
  const url = `http://127.0.0.1:${port}/card`;
  const answer = await local()(url, { method: 'POST', headers: { authorization: 'Bearer t' }, body: 'hällo' });
  expect(answer.status).toBe(200);
  expect(answer.url).toBe(url);
  expect(answer.headers.get('x-got')).toBe('POST Bearer t identity');
  expect(await answer.text()).toBe('hällo');
});

test.each([
  ['http://127.0.0.1:1/', 'this machine'],
  ['http://2130706433/', 'this machine'],
  ['http://0x7f.1/', 'this machine'],
  ['http://[::1]:1/', 'this machine'],
  ['http://[::ffff:127.0.0.1]/', 'this machine'],
  ['http://10.0.0.1/', 'private'],
  ['http://169.254.169.254/latest/meta-data/', 'metadata'],
  ['http://[fe80::1]/', 'link-local'],
  ['file:///etc/passwd', 'neither http nor https'],
  ['gopher://x/', 'neither http nor https'],
  ['http://user:pa55@x.example/', 'user or a password'],
  ['nonsense', 'not a URL'],
])('a server that others reach does not call %s', async (url, why) => {
  const refused = expect(outside({ lookup: () => Promise.reject(new Error('asked')) })(url)).rejects;
  await refused.toMatchObject({ code: 'KIT_OUTBOUND_REFUSED', message: expect.stringContaining(why) });
});

test('the metadata service is called by nobody', async () => {
  await expect(local()('http://169.254.169.254/')).rejects.toMatchObject({
    code: 'KIT_OUTBOUND_REFUSED',
    message: '169.254.169.254 is not called: it is a link-local, metadata or reserved address',
  });
});

test('a name that resolves anew leads to the address that was checked', async () => {
  let asked = 0;
  const port = await serve((request, response) => response.end(`at ${request.headers.host}`));
  const lookup = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  };
  const answer = await local({ lookup })(`http://rebind.example:${port}/`);
  expect(await answer.text()).toBe(`at rebind.example:${port}`);
  expect(asked).toBe(1);
  await expect(local({ lookup })(`http://rebind.example:${port}/`)).rejects.toMatchObject({
    code: 'KIT_OUTBOUND_REFUSED',
    message: expect.stringContaining('169.254.169.254'),
  });
});

test('of the addresses of a name the ones that may be called are called', async () => {
  const port = await serve((_, response) => response.end('here'));
  const lookup = async () => [
    { address: 'fe80::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ];
  expect(await (await local({ lookup })(`http://both.example:${port}/`)).text()).toBe('here');
});

test('a redirect inwards is refused, and nothing is sent there', async () => {
  const inner: string[] = [];
  const port = await serve((request, response) => {
    inner.push(request.url ?? '');
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
  });
  await expect(local()(`http://127.0.0.1:${port}/card`)).rejects.toMatchObject({ code: 'KIT_OUTBOUND_REFUSED' });
  expect(inner).toEqual(['/card']);
});

test('follows three redirects and no fourth; credentials stay with their origin', async () => {
  const seen: string[] = [];
  const other = await serve((request, response) => {
    seen.push(`other ${request.headers.authorization}`);
    response.end('there');
  });
  const port = await serve((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    const n = Number(request.url?.slice(1));
    const location = n === 0 ? `http://127.0.0.1:${other}/` : `/${n - 1}`;
    response.writeHead(307, { location }).end();
  });
  const headers = { authorization: 'Bearer t' };
  const answer = await local()(`http://127.0.0.1:${port}/2`, { headers });
  expect(await answer.text()).toBe('there');
  expect(answer.url).toBe(`http://127.0.0.1:${other}/`);
  expect(seen).toEqual(['/2 Bearer t', '/1 Bearer t', '/0 Bearer t', 'other undefined']);
  await expect(local()(`http://127.0.0.1:${port}/3`)).rejects.toMatchObject({
    code: 'KIT_OUTBOUND_REFUSED',
    message: expect.stringContaining('more than 3 times'),
  });
  const own = await local()(`http://127.0.0.1:${port}/1`, { maxRedirects: 0 });
  expect([own.status, own.headers.get('location')]).toEqual([307, '/0']);
  await own.body?.cancel();
  const posted = await local()(`http://127.0.0.1:${port}/1`, { method: 'POST', body: '{}' });
  expect(posted.status).toBe(307);
  await posted.body?.cancel();
});

test('too many bytes, silence and a compressed answer fail, and say that the request was sent', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/silent') return;
    if (request.url === '/packed') response.setHeader('content-encoding', 'gzip');
    response.end('x'.repeat(5000));
  });
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  const sent = { code: 'KIT_OUTBOUND_FAILED', data: { isSent: true } };
  const large = await local()(at('/'), { maxBytes: 4999 });
  await expect(large.text()).rejects.toMatchObject({ ...sent, message: expect.stringContaining('4999 bytes') });
  expect((await (await local()(at('/'), { maxBytes: 5000 })).text()).length).toBe(5000);
  await expect(local()(at('/silent'), { timeoutMs: 50 })).rejects.toMatchObject(sent);
  await expect(local()(at('/packed'))).rejects.toMatchObject(sent);
});

test('a server that is not there got nothing', async () => {
  const port = await serve(() => {});
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port: free } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  expect(free).not.toBe(port);
  const unsent = { code: 'KIT_OUTBOUND_FAILED', data: { isSent: false } };
  await expect(local()(`http://127.0.0.1:${free}/`)).rejects.toMatchObject(unsent);
  const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  await expect(local({ lookup })('http://no.example/')).rejects.toMatchObject(unsent);
  const hanging = () => new Promise<never>(() => {});
  await expect(local({ lookup: hanging })('http://slow.example/', { timeoutMs: 20 })).rejects.toMatchObject(unsent);
});

test('a stream outlives the time of its headers, and ends with its signal', async () => {
  const port = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const over = new AbortController();
  const answer = await local()(`http://127.0.0.1:${port}/`, {
    isStream: true,
    timeoutMs: 5000,
    maxBytes: 1,
    signal: over.signal,
  });
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
  const next = reader?.read();
  over.abort();
  await expect(next).rejects.toMatchObject({ code: 'KIT_OUTBOUND_FAILED' });
});
