import type { JsonObject, LogEntry, PluginContext, SinkOutcome } from '@kit-run/kit/plugin';
import { defineEventSink } from '@kit-run/kit/plugin';

/** Operators see the sentence: it quotes neither what was sent nor what was answered. */
const not = (kind: 'rejected' | 'failed', detail: string): SinkOutcome => ({ kind, detail });

/** @param config `config` of the entry below `events` */
function create(config: JsonObject, plugin: PluginContext) {
  return {
    /**
     * Called with one event after the other. What is `failed` comes again, what is `rejected` does
     * not.
     * @param signal aborts after 10 s
     */
    async deliver(entry: LogEntry, signal: AbortSignal) {
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
      if (response.ok) return { kind: 'delivered' } as SinkOutcome;
      return not(
        response.status >= 400 && response.status < 500 ? 'rejected' : 'failed',
        `the chat server answered ${response.status}`,
      );
    },
  };
}

/** Event sink `sample-name`. */
export const contribution = defineEventSink({ create });
