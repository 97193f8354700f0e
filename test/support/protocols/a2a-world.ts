import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import {
  ClientFactory as ClientFactory0,
  JsonRpcTransportFactory as JsonRpc0,
  ClientFactoryOptions as Options0,
} from 'a2a-sdk-0/client';
import {
  ClientFactory as ClientFactory1,
  JsonRpcTransportFactory as JsonRpc1,
  ClientFactoryOptions as Options1,
} from 'a2a-sdk-1/client';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { contribution } from '../../../plugins/protocols/src/a2a/mount.js';
import type { ServerParts } from '../../../plugins/serve/src/server/create-server.js';
import { narrowApp } from '../../../src/app/serve/narrow-app.js';
import type { Job } from '../../../src/domain/job.js';
import { type AppWorld, openApp } from '../http/open-app.js';
import { as, groupOf, serveParts } from '../http/serve-group.js';
import { projectRoot } from '../kit-process.js';

const ID = 'kit.http-a2a';

/** What the manifest says of the group: the routes get these use cases and no other. */
function manifest(): { readonly uses: readonly string[]; readonly tier: 'run' } {
  const { kit } = JSON.parse(readFileSync(`${projectRoot}/plugins/protocols/package.json`, 'utf8'));
  return kit.contributes.httpMounts.find(({ id }: { readonly id: string }) => id === ID);
}

/** A serving kit that speaks A2A on a port of its own. */
export interface A2aWorld extends AppWorld {
  readonly server: FastifyInstance;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** One call; `version` null sends no header. */
  readonly rpc: (method: string, params: unknown, more?: RpcOptions) => Promise<RpcAnswer>;
  readonly job: (id: string) => Promise<Job>;
}

export interface RpcOptions {
  readonly version?: string | null;
  readonly path?: string;
  readonly id?: string | number;
  readonly client?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Starts a kit over these files; gone when the test ends. */
export async function serveA2a(
  files: Readonly<Record<string, string | Uint8Array>>,
  of: { readonly env?: Readonly<Record<string, string>>; readonly auth?: ServerParts['auth'] } = {},
): Promise<A2aWorld> {
  const world = await openApp(files as Readonly<Record<string, string>>, of.env);
  const { app, workspace } = world;
  await app.serve.start({ workspace });
  onTestFinished(() => app.serve.drain(0));
  const { uses, tier } = manifest();
  const group = await groupOf(contribution, narrowApp(app, { id: ID, uses }), { id: ID, tier });
  const auth = of.auth === undefined ? {} : { auth: of.auth };
  const server = await serveParts({ groups: [group], workspace, ...auth });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const rpc: A2aWorld['rpc'] = async (
    method,
    params,
    { version = null, path = '/a2a', id = 1, client, headers } = {},
  ) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        ...as('run', client),
        'content-type': 'application/json',
        ...(version === null ? {} : { 'a2a-version': version }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as RpcAnswer;
  };
  return { ...world, server, url, rpc, job: (id) => app.jobs.get({ workspace, job: id }) };
}

/** `fetch` of a caller with the tier run. */
export const fetchAs =
  (client = 'alice'): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...as('run', client) } });

/** The client of `@a2a-js/sdk` 0.3. */
export const client0 = (url: string, path?: string) => {
  const transports = [new JsonRpc0({ fetchImpl: fetchAs() })];
  return new ClientFactory0(Options0.createFrom(Options0.default, { transports })).createFromUrl(url, path);
};

/** The client of `@a2a-js/sdk` 1. */
export const client1 = (url: string, path?: string) => {
  const transports = [new JsonRpc1({ fetchImpl: fetchAs() })];
  return new ClientFactory1(Options1.createFrom(Options1.default, { transports })).createFromUrl(url, path);
};

/** A message of 0.3 with one text. */
export const said = (text: string, over: Readonly<Record<string, unknown>> = {}) => ({
  message: { kind: 'message', role: 'user', messageId: crypto.randomUUID(), parts: [{ kind: 'text', text }], ...over },
});
