import type { StepOutcome } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import type { Decision } from '../../domain/ports/governance.js';
import { askPeople } from '../ask-people.js';
import { identityDigest } from '../derive.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { deniedEnd } from '../step-ends.js';
import type { StepSpec } from '../step-types.js';
import type { SkillCall } from './run-skill.js';
import { isToolSkill } from './tool-facts.js';

/** Gives the step of a call the way in which it is authorised. */
type RunStep<T> = (authorize: NonNullable<StepSpec['authorize']>) => Promise<T>;

export interface Permitted<V extends Json> {
  readonly call: SkillCall;
  readonly spec: StepSpec & { readonly authorize: NonNullable<StepSpec['authorize']> };
  readonly run: RunStep<StepOutcome<V> | Parked>;
}

/** Key of the item that a call waits for. */
const permissionKey = (call: SkillCall): string => `${call.key}/permission`;

/**
 * A call about which a person must be asked first (tier `strict`, or a provider that says `ask`) parks on an item of kind `permission` that
 * names what is called with which arguments, and their digest. Its approval is good for that one call: a second one, with the same arguments
 * or others, asks anew. A rejection is a denial like any other.
 */
export async function withPermission<V extends Json>(services: RunServices, of: Permitted<V>): Promise<StepOutcome<V> | Parked> {
  const { call, spec, run } = of;
  const isAsked = services.steps.rowOf(permissionKey(call)) !== undefined;
  if (!isAsked) {
    if (services.steps.rowOf(call.key) !== undefined) return run(spec.authorize);
    const decision = await services.steps.decide(spec.authorize);
    if (decision.verdict !== 'ask') return run(async () => decision);
    return settle(services, of, decision.reason);
  }
  return settle(services, of, '');
}

async function settle<V extends Json>(services: RunServices, of: Permitted<V>, reason: string): Promise<StepOutcome<V> | Parked> {
  const { call, spec, run } = of;
  const digest = identityDigest(spec.kind, spec.identity);
  const answered = await ask(services, { call, reason, digest });
  if (isParked(answered)) return answered;
  if (answered.status === 'ok') return run(async () => approved(await spec.authorize()));
  const said = answered.message === '' ? 'a person rejected the call' : `a person rejected the call: ${answered.message}`;
  return services.steps.answer<V>(spec, () => deniedEnd(spec, { verdict: 'deny', reason: said, needs: [] }));
}

/** What a person approved may still be denied by now; it is not asked about again. */
const approved = (decision: Decision): Decision => (decision.verdict === 'ask' ? { verdict: 'allow' } : decision);

function ask(services: RunServices, of: { readonly call: SkillCall; readonly reason: string; readonly digest: string }) {
  const { call, reason, digest } = of;
  const { skill, activation, input } = call;
  const named = isToolSkill(skill)
    ? { server: skill.implementation.server, tool: skill.implementation.tool, arguments: { ...input, ...skill.implementation.arguments } }
    : { arguments: input };
  return askPeople(services, {
    key: permissionKey(call),
    kind: 'permission',
    agentId: activation.node.id,
    skillId: skill.id,
    reason,
    // The digest is part of the question: an answer to another question is no answer to this one.
    question: `May ${activation.node.id} call ${skill.id}? (${digest.slice(0, 16)})`,
    options: [],
    details: { skill: skill.id, ...named, effects: skill.effects, step: call.key, digest },
  });
}
