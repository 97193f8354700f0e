import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any: none of those comes in between. */
const [FIRST, LAST] = [20_000, 30_000];

/**
 * A port that was free a moment ago: for programs that are killed and come back at the same
 * address, and those that tell nobody which port they took.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EADDRINUSE' && Promise.reject(error),
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
