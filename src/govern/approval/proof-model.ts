import type { ApprovalPolicy, ApprovalRule, RoleDirectory } from '../../domain/gates.js';
import { largestMatching } from './matching.js';
import { peopleOf, roleCalled } from './people.js';
import { neededRoles } from './rules.js';

/** One task of a policy, and everybody who may complete it. */
export interface ProofTask {
  readonly ruleIndex: number;
  readonly role: string;
  readonly people: readonly string[];
}

/**
 * A policy as questions about people: which tasks there are, how many of each rule, how many
 * people.
 */
export interface ProofModel {
  readonly rules: readonly ApprovalRule[];
  readonly tasks: readonly ProofTask[];
  readonly floor: number;
}

/** Why nobody can satisfy it. */
export type Obstacle =
  | {
      readonly kind: 'quorum';
      readonly ruleIndex: number;
      readonly needed: number;
      readonly able: number;
      readonly emptyRoles: readonly string[];
    }
  /** `tasks` = how many anybody may complete: no more people than that can sign. */
  | { readonly kind: 'floor'; readonly needed: number; readonly able: number; readonly tasks: number };

/** The tasks of some rules by a registry. */
export function modelOf(policy: ApprovalPolicy, rules: readonly ApprovalRule[], roles: RoleDirectory): ProofModel {
  const tasks = rules.flatMap((rule, ruleIndex) =>
    rule.roles.map((id): ProofTask => {
      const role = roleCalled(roles, id);
      return { ruleIndex, role: id, people: role?.scopes.includes(rule.scope) === true ? peopleOf(roles, role) : [] };
    }),
  );
  return { rules, tasks, floor: policy.minDistinctApprovers ?? 0 };
}

/** The same with fewer people. */
export const limitedTo = (model: ProofModel, isThere: (person: string) => boolean): ProofModel => ({
  ...model,
  tasks: model.tasks.map((task) => ({ ...task, people: task.people.filter(isThere) })),
});

/** The same without one person: because they submitted the run, or left. */
export const without = (model: ProofModel, person: string): ProofModel => limitedTo(model, (other) => other !== person);

/** Everybody with a task, each once. */
export const everybody = (model: ProofModel): readonly string[] => [
  ...new Set(model.tasks.flatMap((task) => task.people)),
];

/**
 * What keeps these people from ever approving; null when they can. Exact, without a search: more
 * signatures never hurt, so the best they can do is to complete every task that anybody may, each
 * by another person as far as people go round (a largest matching). An order that reaches it
 * without reopening a task exists, because a task opens again only when all are done by too few.
 */
export function obstacleOf(model: ProofModel): Obstacle | null {
  for (const [ruleIndex, rule] of model.rules.entries()) {
    const tasks = model.tasks.filter((task) => task.ruleIndex === ruleIndex);
    const empty = tasks.filter((task) => task.people.length === 0);
    const able = tasks.length - empty.length;
    const needed = neededRoles(rule);
    if (able < needed) return { kind: 'quorum', ruleIndex, needed, able, emptyRoles: empty.map((task) => task.role) };
  }
  const open = model.tasks.filter((task) => task.people.length > 0);
  const able = largestMatching(open.map((task) => task.people));
  return able < model.floor ? { kind: 'floor', needed: model.floor, able, tasks: open.length } : null;
}
