import { createHash } from 'node:crypto';
import {
  type Delivery,
  type DeliveryVerdict,
  defineTrigger,
  type JsonObject,
  type PluginContext,
  type TriggerType,
} from '@kit-run/kit/plugin';
import { authOf, type WebhookAuth } from './webhook/auth.js';
import { isProven } from './webhook/proof.js';
import { findSecret } from './webhook/secret.js';

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
