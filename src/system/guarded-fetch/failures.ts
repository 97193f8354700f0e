import { KitError } from '../../domain/errors.js';
import { systemCode } from '../../domain/system-code.js';

/** What went wrong on the way, in words that repeat nothing of what was sent or answered. */
export const outboundFailed = (url: URL, why: string, of: { readonly isSent: boolean; readonly cause?: unknown }) =>
  new KitError('KIT_OUTBOUND_FAILED', `${url.host} ${why}`, {
    data: { host: url.host, isSent: of.isSent },
    ...(of.cause === undefined ? {} : { cause: of.cause }),
  });

/** Why a request or its answer ended, for people. */
export function whyFailed(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'did not answer in time';
  const code = systemCode(error);
  return code === null ? 'broke the connection off' : `cannot be reached (${code})`;
}
