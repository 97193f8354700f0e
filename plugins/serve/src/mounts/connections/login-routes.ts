import { createHash, randomBytes } from 'node:crypto';
import { baseUrlOf, type ConnectionsApp, type ServeApp } from '@kit-run/kit/command';
import { type Caller, isKitError, KitError } from '@kit-run/kit/plugin';
import { LOGIN_BEGUN, OAUTH_CLIENT, type WireLoginBegun, type WireOauthClient } from '@kit-run/kit/wire';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendEnd } from './callback-page.js';

const SECONDS = 600;
/** Below it lie the callback, and nothing that anybody else answers. */
const PATH = '/auth/mcp';
const VALUE = /^[\w-]{43}$/;

/** What a browser brings along to the callback of its own login. */
const newBinding = (): string => randomBytes(32).toString('base64url');

/** Each login has a cookie of its own; the state is not to be read from its name. */
const nameOf = (state: string): string =>
  `kit_login_${createHash('sha256').update(`cookie ${state}`).digest('hex').slice(0, 16)}`;

const cookie = (name: string, value: string, maxAgeS: number, isSecure: boolean): string =>
  `${name}=${value}; Path=${PATH}; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** `base`: the address by which the browser knows this server. */
function setBinding(
  reply: FastifyReply,
  of: { readonly state: string; readonly binding: string; readonly base: string },
): void {
  reply.header('set-cookie', cookie(nameOf(of.state), of.binding, SECONDS, of.base.startsWith('https:')));
}

function clearBinding(reply: FastifyReply, of: { readonly state: string; readonly base: string }): void {
  reply.header('set-cookie', cookie(nameOf(of.state), '', 0, of.base.startsWith('https:')));
}

/** Null: this browser began no login of that state. */
function bindingOf(header: string | undefined, state: string): string | null {
  const name = nameOf(state);
  for (const pair of (header ?? '').slice(0, 16_384).split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name) return VALUE.test(value) ? value : null;
  }
  return null;
}

const CALLBACK = '/auth/mcp/callback';
const CLIENT = '/auth/mcp/client.json';

/** What the handlers of one workspace need. */
export interface LoginDesk {
  readonly connections: ConnectionsApp;
  readonly serve: Pick<ServeApp, 'current'>;
  readonly workspace: string;
}

interface LoginBody {
  readonly credential_id: string;
  readonly endpoint?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly scopes?: readonly string[];
}

const text = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description });
const LOGIN_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['credential_id'],
  properties: {
    credential_id: text(200, 'Entry of `credentials`.'),
    endpoint: text(2000, 'Server that the token is for; default `config.endpoint` of the entry.'),
    client_id: text(2000, 'A client that is registered there already; default: it registers itself.'),
    client_secret: text(200, 'Entry of `credentials` that holds the secret of that client.'),
    scopes: { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 200 } },
  },
} as const;

/** Whose logins those of a caller are: `local` where nobody says who calls. */
export const ownerOf = ({ clientId, provider }: Caller): string =>
  provider === 'none' && clientId === 'anonymous' ? 'local' : clientId;

/** Address of the client metadata document; null where a provider could not read it. */
function clientUrl({ serve }: LoginDesk): string | null {
  const base = serve.current().server.publicUrl?.replace(/\/+$/, '') ?? null;
  return base?.startsWith('https:') === true ? `${base}${CLIENT}` : null;
}

/** Logins through a browser that comes back to this server. */
export function loginRoutes(server: FastifyInstance, desk: LoginDesk): void {
  const { connections, workspace } = desk;
  server.post<{ Body: LoginBody }>(
    '/api/oauth/login',
    {
      config: { tier: 'admin', mayAnswer: [500, 502, 503] },
      schema: {
        summary: 'Begins a login at the server that a credential is for',
        body: LOGIN_BODY,
        response: { 200: LOGIN_BEGUN },
      },
    },
    async (request, reply): Promise<WireLoginBegun> => {
      const { credential_id, endpoint, client_id, client_secret, scopes } = request.body;
      const [base, binding] = [baseUrlOf(desk.serve.current().server, request), newBinding()];
      const begun = await connections.begin({
        workspace,
        credential: credential_id,
        endpoint: endpoint ?? null,
        owner: ownerOf(request.caller),
        scopes: scopes ?? null,
        clientId: client_id ?? null,
        clientSecretRef: client_secret ?? null,
        redirectUri: `${base}${CALLBACK}`,
        clientMetadataUrl: clientUrl(desk),
        binding,
      });
      setBinding(reply, { state: begun.state, binding, base });
      return { authorization_url: begun.authorizationUrl, state: begun.state };
    },
  );
  addCallback(server, desk);
  addClientDocument(server, desk);
}

/**
 * A browser carries no bearer here: the single-use state and the cookie of the browser that began
 * the login say whose it is.
 */
function addCallback(server: FastifyInstance, desk: LoginDesk): void {
  const { connections, workspace } = desk;
  server.get(
    CALLBACK,
    {
      config: { tier: 'public', isFromElsewhere: true },
      schema: {
        summary: 'Where a provider sends the browser back at the end of a login',
        response: { 200: { type: 'string' }, 400: { type: 'string' } },
        produces: ['text/html'],
      },
    },
    async (request, reply) => {
      const base = baseUrlOf(desk.serve.current().server, request);
      const query = request.url.split('?', 2)[1] ?? '';
      const state = new URLSearchParams(query).get('state') ?? '';
      clearBinding(reply, { state, base });
      try {
        const binding = bindingOf(request.headers.cookie, state);
        const { credential, owner } = await connections.finish({ workspace, query, binding });
        return sendEnd(reply, { isDone: true, credential, owner }, base);
      } catch (error) {
        if (!isKitError(error) || error.code === 'KIT_INTERNAL') throw error;
        return sendEnd(reply, { isDone: false, why: error.message }, base);
      }
    },
  );
}

/** Client id metadata: providers that read it need no registration. */
function addClientDocument(server: FastifyInstance, desk: LoginDesk): void {
  server.get(
    CLIENT,
    {
      config: { tier: 'public' },
      schema: {
        summary: 'What kit is as a client of OAuth servers',
        response: { 200: OAUTH_CLIENT },
      },
    },
    async (): Promise<WireOauthClient> => {
      const url = clientUrl(desk);
      if (url === null) throw new KitError('KIT_ROUTE_UNKNOWN', 'server.public_url is not an https address');
      return {
        client_id: url,
        client_name: 'kit',
        // Letter by letter what a login sends: providers compare texts.
        redirect_uris: [`${url.slice(0, -CLIENT.length)}${CALLBACK}`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
      };
    },
  );
}
