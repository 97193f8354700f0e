import { isKitError, type JsonObject, type PluginContext } from '@kit-run/kit/plugin';

/** Where to post, as the schema of the configuration has checked it. */
export interface PostConfig {
  readonly url: string;
  readonly credentialsRef: string | null;
}

export const decodeConfig = ({ url, credentials_ref: ref }: JsonObject): PostConfig => ({
  url: String(url),
  credentialsRef: typeof ref === 'string' ? ref : null,
});

/** What the receiver answered: a status, or why there is none. */
export type Posted = { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'unanswered'; readonly detail: string };

/**
 * Posts JSON once. The secret is asked for each time, so that a new one counts at once. Redirects are not followed: they would carry the
 * bearer elsewhere. What goes wrong is told without the address, which may hold a secret, and without what was sent or answered.
 */
export async function postJson(
  { url, credentialsRef }: PostConfig,
  sent: { readonly body: object; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  { fetch, secrets, signal }: Pick<PluginContext, 'fetch' | 'secrets' | 'signal'>,
): Promise<Posted> {
  try {
    const bearer = credentialsRef === null ? {} : { authorization: `Bearer ${await secrets.credential(credentialsRef)}` };
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...sent.headers, ...bearer },
      body: JSON.stringify(sent.body),
      signal: AbortSignal.any([signal, sent.signal]),
    });
    // Nothing of the answer is wanted; the connection is free for the next event.
    await answer.body?.cancel();
    return { kind: 'answered', status: answer.status };
  } catch (error) {
    return { kind: 'unanswered', detail: whyUnanswered(error, sent.signal) };
  }
}

function whyUnanswered(error: unknown, signal: AbortSignal): string {
  if (isKitError(error)) return error.message;
  if (signal.aborted) return 'the receiver did not answer in time';
  const code = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
  return `the receiver cannot be reached${code}`;
}
