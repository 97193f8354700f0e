import { defineEventSink, type EventSink, type PluginContext, type SinkOutcome } from '@kit-run/kit/plugin';
import { decodeConfig, type PostConfig, postJson } from './post.js';

/**
 * 2xx and 3xx are taken, 4xx is final, everything else may pass (docs/design/decisions.md#pushes).
 */
function outcomeOf(status: number): SinkOutcome {
  if (status >= 200 && status < 400) return { kind: 'delivered' };
  return { kind: status >= 400 && status < 500 ? 'rejected' : 'failed', detail: `the receiver answered ${status}` };
}

function createWebhook(config: PostConfig, context: PluginContext): EventSink {
  return {
    deliver: async (entry, signal, run) => {
      const traceParent = await run.traceParent();
      const headers = { 'kit-event-id': entry.event_id, ...(traceParent === null ? {} : { traceparent: traceParent }) };
      const body = run.links === null ? entry : { ...entry, links: run.links };
      const posted = await postJson(config, { body, headers, signal }, context);
      return posted.kind === 'answered' ? outcomeOf(posted.status) : { kind: 'failed', detail: posted.detail };
    },
  };
}

/** Event sink `webhook`: one POST an event, its credential as a bearer token. */
export const contribution = defineEventSink({
  create: (config, context) => createWebhook(decodeConfig(config), context),
});
