import { isObject, type JsonObject } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';

/** How a sender proves itself (docs/triggers.md#webhook). */
export interface WebhookAuth {
  readonly method: 'hmac' | 'bearer' | 'api_key';
  readonly credentialsRef: string;
  /** Lower-case. */
  readonly header: string;
  /** What a delivery does that came before, byte for byte, within 24 hours. */
  readonly repeats: 'start' | 'same_run';
}

const DEFAULT_HEADER = { hmac: 'x-hub-signature-256', bearer: 'authorization', api_key: 'x-api-key' } as const;

const isMethod = (value: unknown): value is WebhookAuth['method'] =>
  typeof value === 'string' && Object.hasOwn(DEFAULT_HEADER, value);

/** `auth` of a configuration that its schema has checked; null = none is declared. */
export function authOf({ auth }: JsonObject): WebhookAuth | null {
  if (!isObject(auth)) return null;
  const { method, credentials_ref: ref, header, repeats } = auth;
  if (!isMethod(method) || typeof ref !== 'string') return null;
  return {
    method,
    credentialsRef: ref,
    header: (typeof header === 'string' ? header : DEFAULT_HEADER[method]).toLowerCase(),
    repeats: repeats === 'same_run' ? repeats : DEFAULTS['webhook.auth'].repeats,
  };
}
