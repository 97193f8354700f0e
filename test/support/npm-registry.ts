import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registry for packages of a test: what is published to it can be installed from it. */
export interface NpmRegistry {
  readonly url: string;
  /** The line of an .npmrc by which npm has a token for it; it takes any. */
  readonly npmrc: string;
  close(): Promise<void>;
}

interface Packument {
  readonly name: string;
  readonly versions: Readonly<Record<string, unknown>>;
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>;
}

async function bodyOf(request: IncomingMessage): Promise<Packument> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

/**
 * The three requests of npm that publishing and installing need: PUT and GET of a packument, GET of
 * a tarball. Whatever else is asked for is not there.
 */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const packuments = new Map<string, Omit<Packument, '_attachments'>>();
  const tarballs = new Map<string, Buffer>();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent((request.url ?? '/').slice(1)).replace(/\?.*/, '');
    if (request.method === 'PUT') {
      const { _attachments = {}, ...reported } = await bodyOf(request);
      for (const [name, { data }] of Object.entries(_attachments))
        tarballs.set(`${path}/-/${name}`, Buffer.from(data, 'base64'));
      const versions = { ...packuments.get(path)?.versions, ...reported.versions };
      packuments.set(path, { ...reported, versions });
      response.writeHead(201).end('{}');
      return;
    }
    const tarball = tarballs.get(path);
    const packument = packuments.get(path);
    if (tarball !== undefined) response.end(tarball);
    else if (packument === undefined) response.writeHead(404).end('{}');
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(packument));
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=any\n`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
