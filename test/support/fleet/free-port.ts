import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * A port that was free a moment ago: for programs that are killed and come back at the same
 * address.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port gives an address with one.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
