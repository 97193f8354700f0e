import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { expect, it } from 'vitest';
import { asGivenUp, isLost } from '../../../src/store/postgres/failures.js';

it('takes every way in which the pool comes to no connection for a store that is away', async () => {
  // It takes connections, and never says a word.
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'kit', max: 1, connectionTimeoutMillis: 50 });
  try {
    // The first waits for the server, the second for the first.
    const ends = await Promise.allSettled([pool.connect(), pool.connect()]);
    const reasons = ends.map((end): unknown => (end.status === 'rejected' ? end.reason : null));

    expect(reasons.map(String)).toContainEqual(expect.stringContaining('timeout exceeded when trying to connect'));
    expect(reasons.map(isLost)).toEqual([true, true]);
    for (const reason of reasons) expect(asGivenUp(reason)).toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
  } finally {
    for (const socket of sockets) socket.destroy();
    await pool.end();
    server.close();
  }
});
