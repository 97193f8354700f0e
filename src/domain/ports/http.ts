import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Json } from '../json.js';

/**
 * What a route asks of its caller; cumulative in this order. `public` asks for no credential
 * (docs/design/decisions.md#tiers).
 */
export type HttpTier = 'public' | 'read' | 'run' | 'admin';

/** Who is calling, as the auth provider proved it. Nothing in a body or a query can change it. */
export interface Caller {
  /** Shares one namespace with the members of roles (docs/design/decisions.md#membership). */
  readonly clientId: string;
  /** For people: access log, audit, `/whoami`. */
  readonly clientName: string;
  /** Name of the auth provider. */
  readonly provider: string;
  /**
   * Transport scopes (`serve:read`, ...) or `*` under `none`; reserved scopes never appear here.
   */
  readonly scopes: readonly string[];
  /** `asserted` under `none`: the setting says who it is, nobody proved it. */
  readonly assurance: 'authenticated' | 'asserted';
}

/** What an auth provider sees of a request. */
export interface Credentials {
  /** The `Authorization` header as it came; undefined = none. */
  readonly authorization: string | undefined;
}

/** Verdict on one request. `detail` is for the caller: it never repeats the credential. */
export type AuthVerdict =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** `error`: the RFC 6750 code of the challenge; null when no credential was sent. */
  | { readonly kind: 'refused'; readonly detail: string; readonly error: 'invalid_token' | 'invalid_request' | null };

/** What a browser brings back from the issuer, and what was made before it went there. */
export interface SignInAnswer {
  readonly code: string;
  /** The PKCE verifier (RFC 7636) whose challenge went along. */
  readonly verifier: string;
  /** Where the browser came back to, as it was sent along. */
  readonly redirectUri: string;
  /** `iss` of the answer (RFC 9207); null = the issuer sends none. */
  readonly issuer: string | null;
}

/**
 * How people sign in through a browser: the code flow of the issuer with PKCE, which the server
 * finishes. So a page needs no leave of the issuer to ask it, and no secret.
 */
export interface SignIn {
  /** Where a browser is sent. Null: the issuer does not say it now. Never throws. */
  authorizationEndpoint(): Promise<string | null>;
  /**
   * The token that `authenticate` accepts afterwards; `expiresInS`: seconds, null = the issuer does
   * not say. Throws KIT_LOGIN_FAILED where the issuer refuses or does not answer, without a word of
   * what was sent.
   */
  finish(answer: SignInAnswer): Promise<{ readonly token: string; readonly expiresInS: number | null }>;
}

/**
 * Tells who calls. `create` checks the configuration and throws KIT_AUTH_INVALID naming every
 * problem: a server with a wrong configuration does not start.
 */
export interface AuthProvider {
  /**
   * Never throws because of what was sent. Throws KIT_NOT_READY (503) when it cannot tell who
   * calls, because a server that it asks does not answer.
   */
  authenticate(credentials: Credentials): Promise<AuthVerdict>;
  /** Public part for `/auth-info`; no secret. `mode` is the name of the provider. */
  info(): { readonly mode: string; readonly oidc?: Readonly<Record<string, Json>> };
  /**
   * What an operator should know, a line each, shown at start. Of keys that do not resolve kit says
   * it itself.
   */
  readonly warnings: readonly string[];
  /**
   * Every identity that this provider can name beforehand (keys, the local operator); null = it
   * cannot know (jwt).
   */
  readonly identities: readonly string[] | null;
  /** Null or absent: whoever calls brings a credential that was made elsewhere. */
  readonly signIn?: SignIn | null;
}

/** What a mount is given when it is registered. */
export interface Served<App = unknown> {
  /** The use cases that the manifest names in `uses`; reading another one throws. */
  readonly app: App;
  /** Absolute directory of the served workspace: first argument of every use case. */
  readonly workspace: string;
  /**
   * Aborts when the server begins to stop: a route that keeps an answer open (server-sent events)
   * ends it then.
   */
  readonly closing: AbortSignal;
}

/**
 * A group of routes: an ordinary Fastify plugin in a scope of its own, below the prefix of its
 * manifest. Each route has a `schema` with its responses and may set `config.tier`; without one it
 * has the tier of the manifest, by default admin. A throw of a `KitError` becomes problem details.
 */
export interface HttpMount<App = unknown> {
  register(server: FastifyInstance, served: Served<App>): Promise<void> | void;
}

/** What a route asks of its caller: always the same, or decided for each request. */
export type RouteTier = HttpTier | ((request: FastifyRequest) => HttpTier | Promise<HttpTier>);

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Default: the tier of the manifest. A function decides for each request (webhooks that verify
     * themselves).
     */
    tier?: RouteTier;
    /**
     * Status codes beyond 2xx, 400, 401, 403, 404, 405, 413, 422 that this route may answer;
     * anything else is a defect.
     */
    mayAnswer?: readonly number[];
    /** One sentence for OpenAPI. */
    summary?: string;
    /**
     * Where a caller without a token reads how to get one (RFC 9728): it stands in the challenge of
     * 401 as `resource_metadata`. Null: the provider in force has nobody who gives tokens.
     */
    tokenHelp?: (request: FastifyRequest, auth: ReturnType<AuthProvider['info']>) => string | null;
  }
  interface FastifyRequest {
    /** Set before a handler runs; an anonymous caller without scopes on public routes. */
    caller: Caller;
    /**
     * Asks anew whether the caller may do what was asked: a token ends, a key is taken back. For an
     * answer that stays open. It throws what the auth provider throws.
     */
    isStillAdmitted: () => Promise<boolean>;
  }
}
