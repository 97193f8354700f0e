import { createHash, timingSafeEqual } from 'node:crypto';
import { defineTrigger } from '@kit-run/kit/plugin';

/** @import { Delivery, JsonObject, PluginContext, TriggerContext } from '@kit-run/kit/plugin' */

const DEFAULT_SECONDS = 60;

/** Texts of any length in constant time. @param {string} left @param {string} right */
const isSame = (left, right) =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

/**
 * @param {JsonObject} config
 * @param {PluginContext} plugin
 */
function create(config, plugin) {
  const url = String(config.url);
  const everyMs = Number(config.every_seconds ?? DEFAULT_SECONDS) * 1000;

  /**
   * The version that the server names; null while it does not answer: the next look may find it.
   */
  async function version(signal) {
    const response = await plugin.fetch(url, { method: 'HEAD', signal }).catch(() => null);
    return response?.ok ? response.headers.get('etag') : null;
  }

  /**
   * Ends with the signal, which makes `sleep` reject.
   * @param {TriggerContext} trigger
   */
  async function watch({ fire, signal }) {
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

  /**
   * The server may also push to /hooks/<topology>, with the token that both know.
   * @param {Delivery} delivery
   */
  async function verify({ headers }) {
    const token = plugin.secrets.env('FEED_TOKEN');
    if (token === null) return { kind: 'unavailable', detail: 'the environment variable FEED_TOKEN is not set' };
    return isSame(headers['x-feed-token'] ?? '', token)
      ? { kind: 'verified' }
      : { kind: 'refused', detail: 'x-feed-token is missing or wrong' };
  }

  return {
    verify,
    ready: async () => null,
    /** @param {TriggerContext} trigger */
    start: async (trigger) => {
      watch(trigger).catch((error) => {
        if (!trigger.signal.aborted)
          plugin.log.error('the trigger has stopped', { trigger: trigger.triggerId, error: String(error) });
      });
    },
  };
}

/** Trigger type `sample-name`. */
export const contribution = defineTrigger({ create });
