import { describe, expect, it } from 'vitest';
import { readHello } from '../../../../plugins/harness/src/egress/client-hello.js';
import { helloFor } from './tls-peers.js';

/** The same handshake in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const handshake = hello.subarray(5);
  const parts: Buffer[] = [];
  for (let at = 0; at < handshake.length; at += size) {
    const part = handshake.subarray(at, at + size);
    const head = Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]);
    parts.push(head, part);
  }
  return Buffer.concat(parts);
}

/** Adds an extension at the end, with all lengths put right. */
function withExtension(hello: Buffer, type: number, data: Buffer): Buffer {
  const session = 5 + 4 + 2 + 32;
  const ciphers = session + 1 + (hello[session] ?? 0);
  const compression = ciphers + 2 + hello.readUInt16BE(ciphers);
  const extensions = compression + 1 + (hello[compression] ?? 0);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(data.length, 2);
  const longer = Buffer.concat([hello, head, data]);
  const more = 4 + data.length;
  longer.writeUInt16BE(hello.readUInt16BE(extensions) + more, extensions);
  longer.writeUIntBE(hello.readUIntBE(6, 3) + more, 6, 3);
  longer.writeUInt16BE(hello.readUInt16BE(3) + more, 3);
  return longer;
}

describe('the first message of a client of TLS', () => {
  it('names its host, whole or in records of any size', async () => {
    const hello = await helloFor('api.example.org');
    const reported = { kind: 'hello', serverName: 'api.example.org', isEncrypted: false };

    expect(readHello(hello)).toEqual(reported);
    for (const size of [1, 7, 100]) expect(readHello(inRecords(hello, size))).toEqual(reported);
  });

  it('is waited for at every length that it does not have yet', async () => {
    const hello = await helloFor('api.example.org');

    for (let length = 0; length < hello.length; length += 1)
      expect(readHello(hello.subarray(0, length))).toEqual({ kind: 'more' });
  });

  it('may name nobody, and may hide whom it means', async () => {
    const hello = await helloFor(undefined);

    expect(readHello(hello)).toMatchObject({ kind: 'hello', serverName: null });
    expect(readHello(withExtension(hello, 0xfe0d, Buffer.alloc(40)))).toMatchObject({ isEncrypted: true });
  });

  it('with two names, or one name twice, is none', async () => {
    const hello = await helloFor('api.example.org');
    const name = Buffer.from('evil.example.org');
    const one = Buffer.concat([Buffer.from([0, 0, name.length]), name]);
    const listOf = (...names: Buffer[]): Buffer => {
      const all = Buffer.concat(names);
      return Buffer.concat([Buffer.from([all.length >> 8, all.length & 255]), all]);
    };

    expect(readHello(withExtension(hello, 0, listOf(one)))).toMatchObject({ kind: 'bad' });
    expect(readHello(withExtension(await helloFor(undefined), 0, listOf(one, one)))).toMatchObject({
      serverName: null,
    });
  });

  it.each([
    ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['the hello of a server', Buffer.from([22, 3, 3, 0, 4, 2, 0, 0, 0])],
    ['a record without bytes', Buffer.from([22, 3, 1, 0, 0])],
    ['a hello of a megabyte', Buffer.from([22, 3, 1, 0, 4, 1, 16, 0, 0])],
    ['a body of nothing', Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 9])],
  ])('is not %s', (_what, bytes) => {
    expect(readHello(bytes)).toMatchObject({ kind: 'bad' });
  });

  it('is read or refused, and never broken by, whatever its bytes are', async () => {
    const hello = await helloFor('api.example.org');

    for (let at = 0; at < hello.length; at += 1)
      for (const value of [0, 255]) {
        const other = Buffer.from(hello);
        other[at] = value;
        expect(['more', 'bad', 'hello']).toContain(readHello(other).kind);
      }
  });
});
