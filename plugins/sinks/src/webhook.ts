import { defineEventSink, type EventSink, type PluginContext } from '@kit-run/kit/plugin';
import { outcomeOf } from './outcome-of.js';
import { decodeConfig, type PostConfig, postJson } from './post.js';

function createWebhook(config: PostConfig, context: PluginContext): EventSink {
  return {
    deliver: async (entry, signal, run) => {
      const traceParent = await run.traceParent();
      const headers = { 'kit-event-id': entry.event_id, ...(traceParent === null ? {} : { traceparent: traceParent }) };
      const body = run.links === null ? entry : { ...entry, links: run.links };
      const posted = await postJson(config, { body, headers, signal }, context);
      return outcomeOf(posted);
    },
  };
}

/** Event sink `webhook`: one POST an event, its credential as a bearer token. */
export const contribution = defineEventSink({
  create: (config, context) => createWebhook(decodeConfig(config), context),
});
