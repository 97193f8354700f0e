import { KitError } from '../../domain/errors.js';
import type { UsageFilter } from '../../domain/ports/usage.js';
import { requireInstant } from '../require-instant.js';
import type { UsageQuery } from './info-app.js';
import { momentBefore } from './moment-before.js';

/**
 * What a question about usage asks of the store. Throws KIT_REQUEST_INVALID for a bound that is no
 * moment, and for a topology with a version: calls are kept by the name of their topology.
 */
export function usageFilter(query: UsageQuery, nowMs: number): UsageFilter {
  const { by, topology, youngerThanMs } = query;
  if (topology?.includes('@') === true) throw withVersion(topology);
  const since = query.since === null ? null : requireInstant(query.since, 'since');
  const until = query.until === null ? null : requireInstant(query.until, 'until');
  const young = youngerThanMs === null ? null : momentBefore(nowMs, youngerThanMs);
  const from = [since, young].reduce((a, b) => (a === null || (b !== null && b > a) ? b : a));
  return {
    by,
    ...(topology === null ? {} : { topology }),
    ...(from === null ? {} : { since: from }),
    ...(until === null ? {} : { until }),
  };
}

function withVersion(topology: string): KitError {
  const message = `${topology} names a version, and usage sums every version of a topology`;
  return new KitError('KIT_REQUEST_INVALID', message, {
    hint: `Leave the version out: ${topology.split('@', 1)[0]}`,
    data: { errors: [{ pointer: '/query/topology', message, code: 'pattern' }] },
  });
}
