import type { PluginContext } from '@kit-run/kit/plugin';

/** What asking an issuer needs of the host. */
export type IssuerContext = Pick<PluginContext, 'clock' | 'fetch' | 'signal'>;

/** How long an issuer has for all that one question takes (docs/auth.md#jwt), in milliseconds. */
const TIMEOUT_MS = 5_000;
/** What an issuer said holds for so long. */
export const CACHE_MS = 10 * 60_000;
/**
 * After it did not answer it is asked again at the earliest: a dead issuer is not asked for each
 * request.
 */
export const RETRY_MS = 5_000;
export const MAX_BYTES = 1024 * 1024;

/** Everything of one question within the time limit, by the clock of the host. */
export async function inTime<T>(
  { clock, signal: ended }: Pick<IssuerContext, 'clock' | 'signal'>,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([ended, over.signal]);
  const timer = clock.sleep(TIMEOUT_MS, signal).then(
    () => over.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)),
    () => undefined,
  );
  try {
    return await ask(signal);
  } finally {
    over.abort();
    await timer;
  }
}

/** An issuer that is asked over https is not asked in the clear at another of its addresses. */
export const isAsSafe = (address: string, issuer: string): boolean =>
  address.startsWith('https://') || (address.startsWith('http://') && issuer.startsWith('http://'));
