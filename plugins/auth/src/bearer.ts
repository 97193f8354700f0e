import type { AuthVerdict } from '@kit-run/kit/plugin';

/** Longer ones are not looked at; Node refuses headers of more than 16 KiB in all. */
const MAX_TOKEN_CHARS = 12_288;

/**
 * What the `Authorization` header holds: a token, or why there is none. Never anything of a header
 * that is refused.
 */
export type Bearer =
  | { readonly kind: 'token'; readonly token: string }
  | Extract<AuthVerdict, { readonly kind: 'refused' }>;

const refused = (detail: string, error: 'invalid_request' | null): Bearer => ({ kind: 'refused', detail, error });

/**
 * The scheme in any case, blanks, and visible ASCII: keys of people may hold more than RFC 6750
 * lists.
 */
export function bearerOf(authorization: string | undefined): Bearer {
  if (authorization === undefined || authorization.trim() === '')
    return refused('the request carries no credential', null);
  const [, token] = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? [];
  if (token === undefined || token.length > MAX_TOKEN_CHARS)
    return refused('the Authorization header is not of the form Bearer <token>', 'invalid_request');
  return { kind: 'token', token };
}
