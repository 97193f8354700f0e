import { type PluginContext, postOnce, type SinkOutcome } from '@kit-run/kit/plugin';
import type { TelemetrySettings } from '../config/settings.js';

export type Signal = 'traces' | 'metrics';

const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const;

/**
 * 429 and what is broken may pass; any other answer will be the same next time (OTLP/HTTP
 * response).
 */
function outcomeOf(status: number): SinkOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return { kind: status === 429 || status >= 500 ? 'failed' : 'rejected', detail: `the receiver answered ${status}` };
}

/** Posts one request, with the key of the environment or of the configuration. */
export async function post(
  { baseUrl, headers, protocol, credentialsRef }: TelemetrySettings,
  sent: { readonly signal: Signal; readonly body: Uint8Array<ArrayBuffer>; readonly until: AbortSignal },
  context: Pick<PluginContext, 'fetch' | 'secrets' | 'signal'>,
): Promise<SinkOutcome> {
  const { secrets } = context;
  const posted = await postOnce(
    {
      url: `${baseUrl}/v1/${sent.signal}`,
      body: sent.body,
      headers: { ...headers, 'content-type': TYPES[protocol] },
      bearer: async () =>
        secrets.env('KIT_OTEL_API_KEY') ?? (credentialsRef === null ? null : secrets.credential(credentialsRef)),
      signal: sent.until,
    },
    context,
  );
  return posted.kind === 'answered' ? outcomeOf(posted.status) : { kind: 'failed', detail: posted.detail };
}
