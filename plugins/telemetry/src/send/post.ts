import { isKitError, type PluginContext, type SinkOutcome } from '@kit-run/kit/plugin';
import type { TelemetrySettings } from '../config/settings.js';

export type Signal = 'traces' | 'metrics';

const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const;

/** 429 and what is broken may pass; any other answer will be the same next time (OTLP/HTTP response). */
function outcomeOf(status: number): SinkOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return { kind: status === 429 || status >= 500 ? 'failed' : 'rejected', detail: `the receiver answered ${status}` };
}

/**
 * Posts one request. The key is asked for each time, so that a new one counts at once. Redirects are not followed: they would carry the
 * key elsewhere. What goes wrong is told without the address, and without what was sent or answered.
 */
export async function post(
  settings: TelemetrySettings,
  sent: { readonly signal: Signal; readonly body: Uint8Array<ArrayBuffer>; readonly until: AbortSignal },
  { fetch, secrets, signal }: Pick<PluginContext, 'fetch' | 'secrets' | 'signal'>,
): Promise<SinkOutcome> {
  try {
    const { credentialsRef } = settings;
    const key = secrets.env('KIT_OTEL_API_KEY') ?? (credentialsRef === null ? null : await secrets.credential(credentialsRef));
    const answer = await fetch(`${settings.baseUrl}/v1/${sent.signal}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...settings.headers, 'content-type': TYPES[settings.protocol], ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: sent.body,
      signal: AbortSignal.any([signal, sent.until]),
    });
    await answer.body?.cancel();
    return outcomeOf(answer.status);
  } catch (error) {
    return { kind: 'failed', detail: whyUnanswered(error, sent.until) };
  }
}

function whyUnanswered(error: unknown, until: AbortSignal): string {
  if (isKitError(error)) return error.message;
  if (until.aborted) return 'the receiver did not answer in time';
  const code = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
  return `the receiver cannot be reached${code}`;
}
