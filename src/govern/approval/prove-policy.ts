import type { ApprovalPolicy, ApprovalRule, RoleDirectory } from '../../domain/gates.js';
import { type Deadlock, findDeadlock } from './find-deadlock.js';
import { peopleClasses, peopleSets } from './people-classes.js';
import { everybody, limitedTo, modelOf, type Obstacle, obstacleOf, type ProofModel, without } from './proof-model.js';
import { escalationRule } from './rules.js';

/** What can be said of a policy for runs of one submitter. */
export interface SubmitterProof {
  /** A person of the registry; null: anybody else, known or not: nobody loses a task for them. */
  readonly person: string | null;
  /** Why such a run can never be approved; null when it can. */
  readonly obstacle: Obstacle | null;
  /**
   * How people can sign such a run into a corner; null when they cannot, or when the run can never
   * be approved anyway.
   */
  readonly deadlock: Deadlock | null;
}

/** Everything that can be known of a policy before a run. */
export interface PolicyProof {
  /** Anybody else first, then each person with a task, in the order of the rules. */
  readonly submitters: readonly SubmitterProof[];
  /** People without whom no run can be approved, whoever submitted it. */
  readonly singlePoints: readonly string[];
  /** Indices of rules without which the policy would decide the same, whoever signs. */
  readonly idleRules: readonly number[];
  /**
   * Why the policy can never be satisfied once it is escalated, by anybody's run; null when it can,
   * or is never escalated.
   */
  readonly escalationObstacle: Obstacle | null;
  /**
   * False: there are more than MAX_SETS sets of people, and deadlocks or idle rules were not looked
   * for everywhere.
   */
  readonly isComplete: boolean;
}

/**
 * Sets of people, up to exchanging those with the same tasks, that one search looks at: some tens
 * of milliseconds.
 */
export const MAX_SETS = 20_000;

/**
 * Proves a policy by the registry: for every possible submitter whether it can be satisfied and
 * whether people can run into a deadlock; single points of failure; rules that can never matter.
 * Exact up to MAX_SETS; satisfiability is exact always. A submitter who is not identified, a
 * trigger and anybody outside the registry are the same here: they take no task away.
 */
export function provePolicy(policy: ApprovalPolicy, roles: RoleDirectory): PolicyProof {
  const model = modelOf(policy, policy.rules, roles);
  const people = everybody(model);
  let isComplete = true;
  const prove = (person: string | null): SubmitterProof => {
    const left = person === null ? model : without(model, person);
    const obstacle = obstacleOf(left);
    if (obstacle !== null) return { person, obstacle, deadlock: null };
    const search = findDeadlock(left, MAX_SETS);
    isComplete &&= search.isComplete;
    return { person, obstacle, deadlock: search.found };
  };
  const anybody = prove(null);
  const submitters = [anybody, ...(policy.excludeAuthor ? people.map(prove) : [])];
  const isPossible = anybody.obstacle === null;
  const idle = isPossible ? idleRules(model) : [];
  return {
    submitters,
    singlePoints: isPossible ? people.filter((person) => obstacleOf(without(model, person)) !== null) : [],
    idleRules: idle ?? [],
    escalationObstacle: isPossible ? escalated(policy, roles) : null,
    isComplete: isComplete && idle !== null,
  };
}

function escalated(policy: ApprovalPolicy, roles: RoleDirectory): Obstacle | null {
  if (policy.expiry?.action !== 'escalate') return null;
  return obstacleOf(modelOf(policy, [...policy.rules, escalationRule(policy.rules, policy.expiry.escalateTo)], roles));
}

/**
 * Rules that can never matter: another rule has the same scope, neither watches a part of its own,
 * nobody could reject through it alone, and for every set of people who sign all they can, the
 * policy is satisfied with the rule if and only if it is without. Of two rules that say the same
 * the later one is named: the others are judged without it. Null: too many sets.
 */
function idleRules(model: ProofModel): readonly number[] | null {
  if (!model.rules.some((rule, index) => isRepeated(model, rule, index))) return [];
  const sets = peopleSets(peopleClasses(model), everybody(model).length, MAX_SETS);
  if (sets === null) return null;
  let kept = model;
  const idle: number[] = [];
  for (let index = model.rules.length - 1; index >= 0; index--) {
    const rule = kept.rules[index];
    if (rule === undefined || !isRepeated(kept, rule, index)) continue;
    const rest = withoutRule(kept, index);
    if (!sets.every((set) => isSatisfiedBy(kept, set) === isSatisfiedBy(rest, set))) continue;
    idle.unshift(index);
    kept = rest;
  }
  return idle;
}

function isRepeated(model: ProofModel, rule: ApprovalRule, index: number): boolean {
  if (
    rule.covers !== null ||
    !model.rules.some((other, at) => at !== index && other.scope === rule.scope && other.covers === null)
  )
    return false;
  const others = new Set(model.tasks.flatMap((task) => (task.ruleIndex === index ? [] : task.people)));
  return model.tasks.every((task) => task.ruleIndex !== index || task.people.every((person) => others.has(person)));
}

const isSatisfiedBy = (model: ProofModel, people: readonly string[]): boolean =>
  obstacleOf(limitedTo(model, (person) => people.includes(person))) === null;

/**
 * Rules before the removed one keep their index, so going from the last to the first needs no other
 * bookkeeping.
 */
const withoutRule = (model: ProofModel, index: number): ProofModel => ({
  ...model,
  rules: model.rules.filter((_, at) => at !== index),
  tasks: model.tasks
    .filter((task) => task.ruleIndex !== index)
    .map((task) => ({ ...task, ruleIndex: task.ruleIndex > index ? task.ruleIndex - 1 : task.ruleIndex })),
});
