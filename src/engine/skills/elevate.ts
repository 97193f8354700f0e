import type { Decision } from '../../domain/ports/governance.js';
import { askPeople } from '../ask-people.js';
import { authorizeSkill } from '../authorize.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import type { SkillCall } from './skill-call.js';

/** Scopes that a person granted for one call; [] = the call needs none. */
export interface Granted {
  readonly scopes: readonly string[];
}

/**
 * Scopes that the skill requires, the agent does not hold, and its `iam.elevated_scopes` lists: a
 * person may grant them. All of it is frozen with the run, so the question stays the same however
 * long it waits; a scope of people is refused when the call is decided on.
 */
function elevatedFor({ activation, skill }: SkillCall): readonly string[] {
  const { baseScope, elevatedScopes } = activation.node;
  return [...new Set(skill.requiredScopes)].filter(
    (scope) => !baseScope.includes(scope) && elevatedScopes.includes(scope),
  );
}

/** A refusal: the reason, and the scopes that the call would need. */
export interface NotGranted {
  readonly denied: Extract<Decision, { verdict: 'deny' }>;
}

/**
 * Asks people for the elevated scopes of a call, before anything of it is done: an item of kind
 * `permission` that names the skill, its arguments and the scopes. Approved: they are granted to
 * this call and to no other, not even the next one of the same skill. Rejected: the call is denied,
 * with what it would need. Nobody is asked about a call that would be denied anyway.
 */
export async function grantElevated(services: RunServices, call: SkillCall): Promise<Granted | NotGranted | Parked> {
  const { skill, activation, key } = call;
  const scopes = elevatedFor(call);
  if (scopes.length === 0 || services.steps.rowOf(key)?.outcome != null) return { scopes };
  const asking = `${key}/elevate`;
  if (services.steps.rowOf(asking) === undefined && (await isDenied(services, call, scopes))) return { scopes };
  const list = scopes.join(', ');
  const answered = await askPeople(services, {
    key: asking,
    kind: 'permission',
    agentId: activation.node.id,
    skillId: skill.id,
    reason: `${skill.id} needs ${list}, which ${activation.node.id} may use with approval`,
    question: `May ${activation.node.id} call ${skill.id} once with ${list}?`,
    options: [],
    details: { skill: skill.id, step: key, scopes: [...scopes], input: call.input },
  });
  if (isParked(answered)) return answered;
  if (answered.status === 'ok') return { scopes };
  const why = answered.message === '' ? '' : `: ${answered.message}`;
  return { denied: { verdict: 'deny', reason: `a person did not grant ${list}${why}`, needs: scopes } };
}

/** The question is put again when the call is made: what authorises is live. */
async function isDenied(
  services: RunServices,
  { activation, skill }: SkillCall,
  granted: readonly string[],
): Promise<boolean> {
  const decision = await authorizeSkill(services, { node: activation.node, skill, granted });
  return decision.verdict === 'deny';
}
