import type { JsonObject, PluginContext, Signal } from '@kit-run/kit/plugin';
import { defineSignalListener } from '@kit-run/kit/plugin';

/**
 * @param _config empty: nothing of workspace.yaml configures a listener that a plugin
 *   brings
 */
function create(_config: JsonObject, plugin: PluginContext) {
  return {
    /**
     * Resolves once the application has the event for good; a throw is answered with 502. The
     * sentence is seen by people.
     */
    async deliver({ correlationId, event, mode, source }: Signal) {
      const response = await plugin
        .fetch(plugin.secrets.env('APPLICATION_URL') ?? 'http://127.0.0.1:8080/events', {
          method: 'POST',
          redirect: 'manual',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${plugin.secrets.env('APPLICATION_TOKEN') ?? ''}`,
          },
          body: JSON.stringify({ flow: correlationId, event, mode, source }),
          signal: plugin.signal,
        })
        .catch(() => null);
      if (response === null) throw new Error('the application cannot be reached');
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the application answered ${response.status}`);
    },
  };
}

/** Signal listener `sample-name`. */
export const contribution = defineSignalListener({ create });
