import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Egress, type EgressParts } from '../../../../plugins/harness/src/egress/proxy.js';
import type { HostAnswer } from '../../../../src/sdk/plugin.js';
import { type AllowedHost, KitError, readAllowedHost } from '../../../../src/sdk/plugin.js';
import { createOutboundAddresses } from '../../../../src/system/guarded-fetch/guarded-fetch.js';
import { accept, ask, connectWords, echoOverTls, ended, helloFor, type Listening, speakTls } from './tls-peers.js';

const HERE = [{ address: '127.0.0.1', family: 4 }] as const;

let upstream: Listening;
let answers: HostAnswer[];
let open: { readonly proxy: Listening; readonly egress: Egress }[];

beforeEach(async () => {
  upstream = await echoOverTls();
  answers = [];
  open = [];
});
afterEach(async () => {
  for (const { proxy, egress } of open) {
    await egress.close();
    proxy.server.close();
  }
  upstream.server.close();
});

const listOf = (...entries: string[]): readonly AllowedHost[] =>
  entries.map((entry) => {
    const host = readAllowedHost(entry);
    if ('problem' in host) throw new Error(host.problem);
    return host;
  });

/** A proxy that lets `api.example.org` through to the server above. */
async function proxyWith(more: Partial<EgressParts> = {}): Promise<number> {
  const egress = new Egress({
    allow: listOf(`api.example.org:${upstream.port}`, `*.below.example.org:${upstream.port}`),
    addressesOf: async () => HERE,
    onAnswer: async (answer) => void answers.push(answer),
    ...more,
  });
  const proxy = await accept((socket) => egress.take(socket));
  open.push({ proxy, egress });
  return proxy.port;
}

const at = (name: string): string => connectWords(`${name}:${upstream.port}`);

async function echoed(port: number, name: string, servername: string | undefined = name): Promise<string> {
  const { socket } = await ask(port, at(name));
  const tls = await speakTls(socket, servername);
  tls.write('hello');
  const [chunk] = (await once(tls, 'data')) as [Buffer];
  tls.destroy();
  return chunk.toString();
}

describe('the way of a container to its hosts', () => {
  it('is open to a host of the list, with TLS from end to end', async () => {
    const port = await proxyWith();

    expect(await echoed(port, 'api.example.org')).toBe('hello');
    expect(await echoed(port, 'API.Example.org', 'api.example.org')).toBe('hello');
    expect(await echoed(port, 'a.b.below.example.org')).toBe('hello');
    expect(answers[0]).toEqual({ host: 'api.example.org', port: upstream.port, answer: 'allowed', reason: '' });
  });

  it.each([
    ['another name', 'evil.example.org', 'not on the list'],
    ['the name above a wildcard', 'below.example.org', 'not on the list'],
    ['a name that only ends alike', 'evilbelow.example.org', 'not on the list'],
    ['this machine by name', 'localhost', 'not the name of a host'],
    ['an address', '127.0.0.1', 'not on the list'],
    ['an address in brackets', '[::1]', 'not the name of a host'],
  ])('is closed to %s, which is told and recorded', async (_what, name, says) => {
    const { status, body } = await ask(await proxyWith(), at(name));

    expect(status).toBe(403);
    expect(body).toContain(says);
    expect(answers).toMatchObject([{ host: name, answer: 'refused', reason: expect.stringContaining(says) }]);
  });

  it('is closed to another port of a host of the list', async () => {
    expect((await ask(await proxyWith(), connectWords('api.example.org:22'))).status).toBe(403);
  });

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:127.0.0.1'])(
    'is closed to a name whose address is %s',
    async (address) => {
      const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      const addressesOf = createOutboundAddresses({ rules: async () => ({ allow: [] }), lookup });
      const { status } = await ask(await proxyWith({ addressesOf }), at('api.example.org'));

      expect(status).toBe(403);
      expect(answers).toMatchObject([{ host: 'api.example.org', reason: expect.stringContaining('private') }]);
    },
  );

  it('says that a name has no address, and that nobody answers there', async () => {
    const failing = async () => Promise.reject(new KitError('KIT_OUTBOUND_FAILED', 'has no address'));
    const nobody = await accept(() => {});
    nobody.server.close();

    expect(await ask(await proxyWith({ addressesOf: failing }), at('api.example.org'))).toMatchObject({ status: 502 });
    const port = await proxyWith({ allow: listOf(`api.example.org:${nobody.port}`) });
    expect(await ask(port, connectWords(`api.example.org:${nobody.port}`))).toMatchObject({ status: 502 });
  });

  it.each([
    ['names another host', 'evil.example.org', 'names another host'],
    ['names no host', undefined, 'names no host'],
  ])('ends a tunnel whose TLS %s', async (_what, servername, says) => {
    const { socket } = await ask(await proxyWith(), at('api.example.org'));

    await expect(speakTls(socket, servername)).rejects.toThrow();
    expect(answers).toMatchObject([{ answer: 'refused', reason: expect.stringContaining(says) }]);
  });

  it.each([
    ['plain text', Buffer.from('GET / HTTP/1.1\r\nhost: evil\r\n\r\n'), 'not TLS'],
    ['bytes of nothing', Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 9]), 'not a hello of TLS'],
  ])('ends a tunnel through which goes %s', async (_what, bytes, says) => {
    const { socket } = await ask(await proxyWith(), at('api.example.org'));
    socket.write(bytes);
    await ended(socket);

    expect(answers).toMatchObject([{ answer: 'refused', reason: expect.stringContaining(says) }]);
  });

  it('lets plain HTTP to no host, and names the one that was asked for', async () => {
    const { status, body } = await ask(await proxyWith(), 'GET http://api.example.org/x HTTP/1.1\r\n\r\n');

    expect({ status, body }).toEqual({ status: 403, body: expect.stringContaining('only https') });
    expect(answers).toMatchObject([{ host: 'api.example.org', port: 80, answer: 'refused' }]);
  });

  it.each(['CONNECT api.example.org HTTP/1.1\r\n\r\n', 'CONNECT api.example.org:0 HTTP/1.1\r\n\r\n', 'hello\r\n\r\n'])(
    'refuses the words %j',
    async (words) => {
      expect((await ask(await proxyWith(), words)).status).toBe(403);
    },
  );

  it('waits for no client that dawdles, before its request and within its tunnel', async () => {
    const port = await proxyWith({ bounds: { stepMs: 50 } });

    expect((await ask(port, 'CONNECT api.exam')).status).toBe(400);
    const { socket } = await ask(port, at('api.example.org'));
    socket.write((await helloFor('api.example.org')).subarray(0, 40));
    await ended(socket);
    expect(answers).toMatchObject([{ answer: 'refused', reason: expect.stringContaining('came late') }]);
  });

  it('reads no head without an end', async () => {
    const words = `CONNECT api.example.org:443 HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`;

    expect((await ask(await proxyWith(), words)).status).toBe(400);
  });

  it('carries what comes after a client has ended its side', async () => {
    const { socket } = await ask(await proxyWith(), at('api.example.org'));
    const tls = await speakTls(socket, 'api.example.org');
    const text = 'x'.repeat(1_000_000);
    let back = 0;
    tls.on('data', (chunk: Buffer) => {
      back += chunk.length;
    });
    tls.end(text);
    await once(tls, 'end');

    expect(back).toBe(text.length);
  });

  it('carries 200 connections at once, and refuses what is more than its bound', async () => {
    const port = await proxyWith();
    const all = await Promise.all(
      Array.from({ length: 200 }, async () =>
        speakTls((await ask(port, at('api.example.org'))).socket, 'api.example.org'),
      ),
    );
    for (const tls of all) tls.destroy();
    const narrow = await proxyWith({ bounds: { connections: 1 } });
    const first = connect(narrow, '127.0.0.1');
    await once(first, 'connect');

    expect(all).toHaveLength(200);
    expect((await ask(narrow, at('api.example.org'))).status).toBe(503);
    first.destroy();
  });

  it('ends a tunnel through which nothing goes', async () => {
    const { socket } = await ask(await proxyWith({ bounds: { idleMs: 50 } }), at('api.example.org'));
    const tls = await speakTls(socket, 'api.example.org');

    await ended(tls);
  });

  it('lets nothing through of which no record could be made', async () => {
    const onAnswer = () => Promise.reject(new Error('the lease is over'));
    const { socket } = await ask(await proxyWith({ onAnswer }), at('api.example.org'));

    await expect(speakTls(socket, 'api.example.org')).rejects.toThrow();
  });

  it('ends every connection with itself', async () => {
    const port = await proxyWith();
    const tls = await speakTls((await ask(port, at('api.example.org'))).socket, 'api.example.org');
    const over = ended(tls);
    await open[0]?.egress.close();

    await over;
  });
});
