import { elapsedMs, readBoundedJson } from '@kit-run/kit/plugin';
import { type IssuerContext, MAX_BYTES } from './ask-issuer.js';

/**
 * What an issuer says of itself (OpenID Connect Discovery 4): read once for a sign-in and its keys.
 */
export interface IssuerDocument {
  /**
   * As it was read last where that is less than `maxAgeMs` ago, else read anew; 0 = anew. Throws
   * what the reading threw, and keeps nothing of it.
   */
  read(ask: { readonly signal: AbortSignal; readonly maxAgeMs: number }): Promise<unknown>;
}

/**
 * One document of the issuer. Redirects are not followed: they would lead to an address that nobody
 * wrote.
 */
export async function fetchJson({ fetch }: Pick<IssuerContext, 'fetch'>, url: string, signal: AbortSignal) {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'error', signal });
  if (response.ok) return readBoundedJson(response, MAX_BYTES);
  await response.body?.cancel();
  throw new Error(`status ${response.status}`);
}

/** Nothing is fetched before somebody asks. */
export function createIssuerDocument(issuer: string, context: IssuerContext): IssuerDocument {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  let kept: { readonly value: unknown; readonly atMs: number } | null = null;
  return {
    read: async ({ signal, maxAgeMs }) => {
      if (kept !== null && elapsedMs(context.clock) - kept.atMs < maxAgeMs) return kept.value;
      const value = await fetchJson(context, url, signal);
      kept = { value, atMs: elapsedMs(context.clock) };
      return value;
    },
  };
}
