import type { InfoApp } from '../app/info/info-app.js';
import { USAGE_REPORT } from '../view/schemas/info.js';
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
    const answer = await client.readAs(USAGE_REPORT, client.http.GET('/usage', { params: { query } }));
    return { summary: answer.summary, by, shares: answer.byModel ?? answer.byTopology ?? answer.byDay ?? [] };
  },
});
