import { defineEventSink } from '@kit-run/kit/plugin';

/** @import { JsonObject, LogEntry, PluginContext, SinkOutcome } from '@kit-run/kit/plugin' */

/**
 * Operators see the sentence: it quotes neither what was sent nor what was answered.
 * @param {'rejected' | 'failed'} kind
 * @param {string} detail
 * @returns {SinkOutcome}
 */
const not = (kind, detail) => ({ kind, detail });

/**
 * @param {JsonObject} config `config` of the entry below `events`
 * @param {PluginContext} plugin
 */
function create(config, plugin) {
  return {
    /**
     * Called with one event after the other. What is `failed` comes again, what is `rejected` does
     * not.
     * @param {LogEntry} entry
     * @param {AbortSignal} signal aborts after 10 s
     */
    async deliver(entry, signal) {
      const text = `${entry.event_type} in run ${entry.run_id || '(none)'} of ${entry.topology_id}`;
      const response = await plugin
        .fetch(`${config.url}/channels/${encodeURIComponent(String(config.channel))}/messages`, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${plugin.secrets.env('CHAT_TOKEN') ?? ''}`,
          },
          // The id lets the server tell an event that it has already.
          body: JSON.stringify({ id: entry.event_id, text }),
          signal: AbortSignal.any([plugin.signal, signal]),
        })
        .catch(() => null);
      if (response === null) return not('failed', 'the chat server cannot be reached');
      await response.body?.cancel();
      if (response.ok) return /** @type {SinkOutcome} */ ({ kind: 'delivered' });
      return not(
        response.status >= 400 && response.status < 500 ? 'rejected' : 'failed',
        `the chat server answered ${response.status}`,
      );
    },
  };
}

/** Event sink `sample-name`. */
export const contribution = defineEventSink({ create });
