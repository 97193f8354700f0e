import { defineSignalListener, type PluginContext, type SignalListener } from '@kit-run/kit/plugin';
import { decodeConfig, type PostConfig, postJson } from './post.js';

/** Time for one answer (docs/design/decisions.md#pushes). */
const ANSWER_MS = 10_000;

function createListener(config: PostConfig, context: PluginContext): SignalListener {
  return {
    deliver: async ({ correlationId, event, sourceEventId, mode, source, pipeline, traceParent }) => {
      const body = { correlation_id: correlationId, event, source_event_id: sourceEventId, mode, source, pipeline };
      const posted = await postJson(
        config,
        {
          body,
          headers: traceParent === undefined ? {} : { traceparent: traceParent },
          signal: AbortSignal.timeout(ANSWER_MS),
        },
        context,
      );
      if (posted.kind === 'unanswered') throw new Error(posted.detail);
      if (posted.status < 200 || posted.status >= 300) throw new Error(`the receiver answered ${posted.status}`);
    },
  };
}

/** Signal listener behind `server.signal`: one POST an event, taken with 2xx alone. */
export const contribution = defineSignalListener({
  create: (config, context) => createListener(decodeConfig(config), context),
});
