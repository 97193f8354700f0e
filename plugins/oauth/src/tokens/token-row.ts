import type { JsonObject } from '@kit-run/kit/plugin';

/** How a client proves itself to a token endpoint. */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** A client as an authorization server knows it. */
export interface KnownClient {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly method: ClientAuthMethod;
}

/** The addresses at which a token is refreshed and ended; frozen at the login. */
export interface TokenServer {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | null;
}

/** Everything that is kept of a login; all of it encrypted. Times are ISO 8601. */
export interface TokenRow {
  readonly endpoint: string;
  readonly resource: string;
  readonly server: TokenServer;
  readonly client: KnownClient;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: string | null;
  readonly refreshExpiresAt: string | null;
  readonly createdAt: string;
  readonly refreshedAt: string | null;
  /** Since when the provider is being asked; null = nobody asks. */
  readonly askedAt: string | null;
  /** Why a person has to log in again; null = nobody has to. */
  readonly refused: string | null;
}

// Written by `encodeToken` from a value of this type, encrypted, and by nobody else.
export const decodeToken = (value: JsonObject): TokenRow => value as unknown as TokenRow;
export const encodeToken = (row: TokenRow): JsonObject => row as unknown as JsonObject;
