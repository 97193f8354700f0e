import { createHash } from 'node:crypto';
import type { JsonObject } from '@kit-run/kit/plugin';
import type { AuthorizationServer } from 'oauth4webapi';
import type { KnownClient } from '../tokens/token-row.js';

/** What is kept of a login that is under way; all of it encrypted. */
export interface LoginRow {
  readonly credential: string;
  readonly owner: string;
  readonly endpoint: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly verifier: string;
  /** SHA-256 of what the browser brings along. */
  readonly binding: string;
  readonly client: KnownClient;
  readonly server: Pick<
    AuthorizationServer,
    'issuer' | 'token_endpoint' | 'revocation_endpoint' | 'authorization_response_iss_parameter_supported'
  >;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A login is found by its state, and the state is not to be read from its name. */
export const loginName = (state: string): string => digest(`state ${state}`);

// Written by `encodeLogin` from a value of this type, encrypted, and by nobody else.
export const decodeLogin = (value: JsonObject): LoginRow => value as unknown as LoginRow;
export const encodeLogin = (row: LoginRow): JsonObject => JSON.parse(JSON.stringify(row)) as JsonObject;
