import type { AuditQuery } from '../../domain/ports/event-log.js';
import { instant } from '../instant.js';

/**
 * Conditions of the log read backwards, the same text in both dialects; only those that the query
 * names are part of a statement.
 */
const CONDITIONS = {
  agentId: 'agent_id = @agentId',
  topologyId: 'topology_id = @topologyId',
  since: 'timestamp >= @since',
} as const;

/**
 * What no index of the log answers: an index more would be paid for by every event of every run.
 */
export interface Residue {
  /** ' AND ...', or '' when there is none. */
  readonly text: string;
  readonly params: Readonly<Record<string, string>>;
}

export function residueOf(query: AuditQuery): Residue {
  const params: Record<string, string> = {};
  const texts: string[] = [];
  for (const name of ['agentId', 'topologyId', 'since'] as const) {
    const value = query[name];
    if (value === undefined) continue;
    params[name] = name === 'since' ? instant(value) : value;
    texts.push(` AND ${CONDITIONS[name]}`);
  }
  return { text: texts.join(''), params };
}
