import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contribution as mcp } from '../../../plugins/mcp/src/mcp.js';
import { isKitError } from '../../../src/domain/errors.js';
import type { Refusal } from '../../../src/domain/ports/credential-source.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { createClock } from '../../../src/system/clock.js';
import { loginWorld } from '../../plugins/oauth/login-world.js';

/** What the suite hands to the client of a scenario. */
interface Scenario {
  readonly endpoint: string;
  /** Of 2026, which begins without `initialize`; null = an earlier one. */
  readonly protocol: string | null;
  readonly context: { readonly client_id?: string; readonly client_secret?: string };
}

/** Logins of one scenario; who asks for more does not get them. */
const MAX_LOGINS = 3;
const REDIRECT = 'http://127.0.0.1:1/callback';
/** The one that the suite knows; it fetches nothing there. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

const scopesIn = (challenge: string | null): readonly string[] =>
  /\bscope="([^"]+)"/.exec(challenge ?? '')?.[1]?.split(' ') ?? [];

/**
 * The plugins `oauth` and `mcp` as a run uses them, with a fetch in the browser's place: whatever a
 * server refuses ends the attempt, a person logs in, with the scopes it asked for, and it is made
 * again.
 */
async function drive({ endpoint, context, protocol }: Scenario): Promise<void> {
  const { logins, resolve, refused } = await loginWorld().open();
  const use = { name: 'notes', config: { endpoint } };
  let scopes: readonly string[] | null = null;
  for (let login = 1; ; login += 1) {
    const begun = await logins.begin({
      ...{ credential: 'notes', owner: 'ada', endpoint, scopes, binding: 'a browser', redirectUri: REDIRECT },
      clientId: context.client_id ?? null,
      clientSecret: context.client_secret ?? null,
      clientMetadataUrl: CLIENT_METADATA,
    });
    const page = await fetch(begun.authorizationUrl, { redirect: 'manual' });
    const query = new URL(page.headers.get('location') ?? '').search.slice(1);
    await logins.finish({ query, binding: 'a browser' });
    let last: Refusal | null = null;
    const reported = async (refusal: Refusal): Promise<boolean> => {
      last = refusal;
      return (await refused?.(use, refusal)) === true;
    };
    try {
      const way = { bearer: () => resolve(use.name, use.config), refused: reported };
      return await (protocol === null ? callAll(endpoint, way) : callBare(endpoint, way, protocol));
    } catch (error) {
      const refusal = last as Refusal | null;
      const isOver = isKitError(error) && ['KIT_CONSENT_REQUIRED', 'KIT_CREDENTIAL_EXPIRED'].includes(error.code);
      if (!isOver || refusal === null || login >= MAX_LOGINS) throw error;
      const known = (await logins.list())[0]?.scopes ?? [];
      scopes = [...new Set([...known, ...scopesIn(refusal.challenge)])];
      if (scopes.length === 0) scopes = null;
    }
  }
}

interface Way {
  readonly bearer: () => Promise<string>;
  readonly refused: (refusal: Refusal) => Promise<boolean>;
}

/** Requests as servers of 2026 have them. */
async function callBare(endpoint: string, { bearer, refused }: Way, protocol: string): Promise<void> {
  for (const method of ['tools/list', 'tools/call', 'tools/list']) {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await bearer()}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': protocol,
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 'test-tool', arguments: {} } }),
    });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403)
      await refused({
        status: response.status,
        challenge: response.headers.get('www-authenticate'),
        carried: () => true,
      });
  }
}

async function callAll(endpoint: string, { bearer, refused }: Way): Promise<void> {
  const clock = createClock();
  const never = new AbortController().signal;
  const source = await mcp.create({}, createTestContext({ clock, fetch: globalThis.fetch }));
  const server = await source.open(
    { id: 'scenario', settings: async () => ({ transport: 'http', endpoint }), bearer, refused },
    {
      signal: never,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      clock,
      env: {},
      workspaceRoot: process.cwd(),
      spawn: () => {
        throw new Error('nothing is started here');
      },
    },
  );
  try {
    for (const { name } of await server.tools())
      await server.call(
        { tool: name, input: {}, stepId: name, traceParent: null, timeoutMs: 20_000, maxBytes: 1_000_000 },
        never,
      );
  } finally {
    await server.close();
  }
}

/** The client under test, as a command: a small process that hands its scenario to this one. */
export async function openLoginDriver(): Promise<{ readonly command: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      drive(JSON.parse(text) as Scenario).then(
        () => response.writeHead(200).end(),
        (error: unknown) =>
          response.writeHead(500).end(isKitError(error) ? `${error.code}: ${error.message}` : String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new URL('login-client.mjs', import.meta.url).pathname;
  return {
    command: `${process.execPath} ${client} ${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
