import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Delivery } from '@kit-run/kit/plugin';
import type { WebhookAuth } from './auth.js';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;
const BEARER = /^bearer +(.+)$/i;

/**
 * Texts of any length in constant time: their digests have one length, and tell nothing of what was
 * compared.
 */
const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

function isSigned(secret: string, written: string, body: Uint8Array): boolean {
  const hex = SIGNATURE.exec(written)?.[1];
  return (
    hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
  );
}

/**
 * Whether a delivery carries the proof that `auth` asks for, over its bytes as they came
 * (docs/triggers.md#webhook).
 */
export function isProven(auth: WebhookAuth, secret: string, { headers, body }: Delivery): boolean {
  const written = headers[auth.header];
  if (written === undefined) return false;
  switch (auth.method) {
    case 'hmac':
      return isSigned(secret, written, body);
    case 'bearer':
      return isSame(BEARER.exec(written)?.[1] ?? '', secret);
    case 'api_key':
      return isSame(written, secret);
  }
}
