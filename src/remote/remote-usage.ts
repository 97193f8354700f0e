import type { InfoApp } from '../app/info/info-app.js';
import { fieldsOf, maybeNumberAt, numberAt, objectsAt, textAt } from '../lib/read-json.js';
import type { RemoteContext } from './remote-context.js';

/** What calls of models of a server have cost, out of what `toWireUsageReport` makes. */
export const remoteUsage = ({ client }: RemoteContext): Pick<InfoApp, 'usage'> => ({
  usage: async ({ by, topology, youngerThanMs, since, until }) => {
    const query = {
      by,
      ...(topology === null ? {} : { topology }),
      ...(youngerThanMs === null ? {} : { younger_than_ms: youngerThanMs }),
      ...(since === null ? {} : { since }),
      ...(until === null ? {} : { until }),
    };
    const fields = fieldsOf(await client.read(client.http.GET('/usage', { params: { query } })));
    const summary = fieldsOf(fields.summary);
    return {
      summary: {
        calls: numberAt(summary, 'total_calls'),
        inputTokens: numberAt(summary, 'total_input_tokens'),
        outputTokens: numberAt(summary, 'total_output_tokens'),
        cachedInputTokens: numberAt(summary, 'total_cache_tokens'),
        costUsd: maybeNumberAt(summary, 'total_cost_usd'),
      },
      by,
      shares: objectsAt(fields, `by_${by}`).map((share) => ({
        key: textAt(share, by),
        calls: numberAt(share, 'calls'),
        inputTokens: numberAt(share, 'input_tokens'),
        outputTokens: numberAt(share, 'output_tokens'),
        cachedInputTokens: numberAt(share, 'cache_tokens'),
        costUsd: maybeNumberAt(share, 'cost_usd'),
      })),
    };
  },
});
