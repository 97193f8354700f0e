import { isKitError } from './errors.js';
import type { PluginContext } from './extension-points.js';

/** One request to a receiver. */
export interface PostRequest {
  readonly url: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** Asked for with each request, so that a new one counts at once; null: none is sent. */
  readonly bearer: () => Promise<string | null>;
  /** Ends the request; the host's own signal does so too. */
  readonly signal: AbortSignal;
}

/** What the receiver answered: a status, or why there is none, in words that may be shown. */
export type Posted =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unanswered'; readonly detail: string };

/**
 * Posts once to a receiver of which only the status is wanted. Redirects are not followed: they
 * would carry the bearer elsewhere. What goes wrong is told without the address, which may hold a
 * secret, and without what was sent or answered. Never rejects.
 */
export async function postOnce(
  request: PostRequest,
  { fetch, signal }: Pick<PluginContext, 'fetch' | 'signal'>,
): Promise<Posted> {
  try {
    const bearer = await request.bearer();
    const answer = await fetch(request.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...request.headers, ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) },
      body: request.body,
      signal: AbortSignal.any([signal, request.signal]),
    });
    // Nothing of the answer is wanted; the connection is free for the next request.
    await answer.body?.cancel();
    return { kind: 'answered', status: answer.status };
  } catch (error) {
    return { kind: 'unanswered', detail: whyUnanswered(error, request.signal) };
  }
}

function whyUnanswered(error: unknown, signal: AbortSignal): string {
  if (isKitError(error)) return error.message;
  if (signal.aborted) return 'the receiver did not answer in time';
  const code =
    error instanceof Error && error.cause instanceof Error && 'code' in error.cause
      ? ` (${String(error.cause.code)})`
      : '';
  return `the receiver cannot be reached${code}`;
}
