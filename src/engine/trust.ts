import type { Decision } from '../domain/ports/governance.js';
import { FULLY_TRUSTED, type Trust, trustOf } from '../govern/trust.js';
import type { Soon } from '../lib/soon.js';
import type { NewEvent } from './new-event.js';
import type { RunServices } from './services.js';

/** Trust in an agent now; a source that fails trusts nobody. */
export function readTrust(services: Pick<RunServices, 'trust'>, agentId: string): Soon<Trust> {
  if (services.trust === undefined) return FULLY_TRUSTED;
  try {
    const said = services.trust(agentId);
    return said instanceof Promise ? said.then(trustOf).catch(nobody) : trustOf(said);
  } catch {
    return nobody();
  }
}

const nobody = (): Trust => trustOf(undefined);

/** The denial of an agent that is not trusted at all; null = it may be asked about further. */
export function trustDenial({ score, tier }: Trust): Extract<Decision, { verdict: 'deny' }> | null {
  if (tier !== 'denied') return null;
  const reason =
    score === null ? 'how far the agent is trusted could not be read' : `the trust score ${score} is below 0.2`;
  return { verdict: 'deny', reason, needs: [] };
}

/**
 * What the log tells of trust when an agent is let in, or not; nothing while it is fully trusted.
 */
export function trustEvents(agentId: string, { score, tier }: Trust): readonly NewEvent[] {
  const base = { agentId, skillId: null };
  if (tier === 'full') return [];
  if (tier === 'denied' || score === null)
    return [{ ...base, type: 'trust.denied', payload: { score, tier: 'denied' } }];
  return [{ ...base, type: 'trust.degraded', payload: { score, tier } }];
}
