import { isIPv6 } from 'node:net';
import { KitError } from '@kit-run/kit/command';
import type { FastifyInstance } from 'fastify';

/** Where a server shall listen; port 0 = any free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const urlOf = ({ host, port }: Address): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * Binds, and gives the URL with the real port. Throws KIT_ADDRESS_IN_USE, KIT_USAGE for an address
 * that cannot be bound.
 */
export async function listen(server: FastifyInstance, { host, port }: Address): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new KitError('KIT_ADDRESS_IN_USE', `another process listens on ${urlOf({ host, port })}`);
    const why =
      code === 'EACCES' ? 'this user may not' : code === 'ENOTFOUND' ? 'there is no such host' : String(code || error);
    throw new KitError('KIT_USAGE', `the server cannot listen on ${urlOf({ host, port })}: ${why}`, {
      hint: 'Choose another --host or --port.',
      cause: error,
    });
  }
  const address = server.server.address();
  return urlOf({ host, port: typeof address === 'object' && address !== null ? address.port : port });
}
