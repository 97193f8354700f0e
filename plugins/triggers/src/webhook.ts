import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Delivery,
  type DeliveryVerdict,
  defineTrigger,
  isKitError,
  type JsonObject,
  type PluginContext,
  type Secrets,
  type TriggerType,
} from '@kit-run/kit/plugin';
import { authOf, type WebhookAuth } from './webhook/auth.js';

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
function isProven(auth: WebhookAuth, secret: string, { headers, body }: Delivery): boolean {
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

const REFUSED = 'the signature or secret of the delivery is missing or does not fit';

function create(config: JsonObject, { secrets }: PluginContext): TriggerType {
  const auth = authOf(config);
  if (auth === null) return { ready: async () => null };
  return { ready: () => missingSecret(auth, secrets), verify: (delivery) => verify(auth, secrets, delivery) };
}

async function missingSecret(
  { credentialsRef }: WebhookAuth,
  secrets: PluginContext['secrets'],
): Promise<string | null> {
  const found = await findSecret(secrets, credentialsRef);
  return found.ok ? null : found.reason;
}

const digestOf = ({ body }: Delivery): string => createHash('sha256').update(body).digest('hex');

const UNAVAILABLE = 'the secret of this hook is not there; whoever operates the server sees what is missing';

/**
 * The secret is looked up for each delivery: one that was set or changed meanwhile holds at once.
 */
async function verify(
  auth: WebhookAuth,
  secrets: PluginContext['secrets'],
  delivery: Delivery,
): Promise<DeliveryVerdict> {
  const found = await findSecret(secrets, auth.credentialsRef);
  // A stranger reads it. What is missing stands in the server's log and in `kit triggers list`.
  if (!found.ok) return { kind: 'unavailable', detail: UNAVAILABLE };
  if (!isProven(auth, found.secret, delivery)) return { kind: 'refused', detail: REFUSED };
  // The body is what a signature covers: headers of a delivery that was caught can be changed.
  return { kind: 'verified', ...(auth.repeats === 'same_run' ? { once: digestOf(delivery) } : {}) };
}

/**
 * Trigger type `webhook`. Without `auth` it verifies nothing and its route stays behind the key of
 * the server.
 */
export const contribution = defineTrigger({ create });

type Found = { readonly ok: true; readonly secret: string } | { readonly ok: false; readonly reason: string };

/**
 * The secret of a `credentials_ref`: the entry of that name, and where there is no entry the
 * environment variable (docs/design/decisions.md#hooks).
 */
async function findSecret(secrets: Secrets, ref: string): Promise<Found> {
  try {
    const secret = await secrets.credential(ref);
    return secret === '' ? { ok: false, reason: `the secret \`${ref}\` is empty` } : { ok: true, secret };
  } catch (error) {
    // An entry that cannot be resolved is not replaced by a variable of its name: that may be
    // another secret.
    const isEntryMissing =
      isKitError(error) && error.code === 'KIT_CREDENTIAL_UNRESOLVED' && error.data?.missing === 'entry';
    if (!isEntryMissing)
      return { ok: false, reason: isKitError(error) ? error.message : `the secret \`${ref}\` cannot be resolved` };
  }
  const secret = secrets.env(ref);
  if (secret !== null) return { ok: true, secret };
  return {
    ok: false,
    reason: `there is no credentials entry \`${ref}\`, and the environment variable of that name is not set`,
  };
}
