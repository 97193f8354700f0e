import { createHash, timingSafeEqual } from 'node:crypto';
import type { Delivery, DeliveryVerdict, JsonObject, PluginContext, TriggerContext } from '@kit-run/kit/plugin';
import { defineTrigger } from '@kit-run/kit/plugin';

const DEFAULT_SECONDS = 60;

/** Texts of any length in constant time. */
const isSame = (left: string, right: string) =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

function create(config: JsonObject, plugin: PluginContext) {
  const url = String(config.url);
  const everyMs = Number(config.every_seconds ?? DEFAULT_SECONDS) * 1000;

  /**
   * The version that the server names; null while it does not answer: the next look may find it.
   */
  async function version(signal: AbortSignal) {
    const response = await plugin.fetch(url, { method: 'HEAD', signal }).catch(() => null);
    return response?.ok ? response.headers.get('etag') : null;
  }

  /** Ends with the signal, which makes `sleep` reject. */
  async function watch({ fire, signal }: TriggerContext) {
    let known = await version(signal);
    for (;;) {
      await plugin.clock.sleep(everyMs, signal);
      const found = await version(signal);
      // The version names the occurrence: of several servers that see it one fires.
      if (known !== null && found !== null && found !== known)
        await fire({ input: { url, version: found }, occurrence: found });
      known = found ?? known;
    }
  }

  /** The server may also push to /hooks/<topology>, with the token that both know. */
  async function verify({ headers }: Delivery): Promise<DeliveryVerdict> {
    const token = plugin.secrets.env('FEED_TOKEN');
    if (token === null) return { kind: 'unavailable', detail: 'the environment variable FEED_TOKEN is not set' };
    return isSame(headers['x-feed-token'] ?? '', token)
      ? { kind: 'verified' }
      : { kind: 'refused', detail: 'x-feed-token is missing or wrong' };
  }

  return {
    verify,
    ready: async () => null,
    start: async (trigger: TriggerContext) => {
      watch(trigger).catch((error) => {
        if (!trigger.signal.aborted)
          plugin.log.error('the trigger has stopped', { trigger: trigger.triggerId, error: String(error) });
      });
    },
  };
}

/** Trigger type `sample-name`. */
export const contribution = defineTrigger({ create });
