import type { DecisionBinding, DecisionTrigger } from '../domain/decision-binding.js';
import { MEMORY_BINDINGS } from '../domain/decision-binding.js';
import type { Verdict } from './checks/verdict.js';

/** A binding and what its skill said. */
export interface BoundVerdict {
  readonly binding: DecisionBinding;
  readonly verdict: Verdict;
}

/** Bindings whose skill is asked; those that memory brings along are carried out by memory. */
export const askedBindings = (bindings: readonly DecisionBinding[]): readonly DecisionBinding[] =>
  bindings.filter(({ skill }) => !MEMORY_BINDINGS.includes(skill));

/** What is asked of an agent at a trigger, in the order of the files. */
export const bindingsFor = (
  bindings: readonly DecisionBinding[],
  trigger: DecisionTrigger,
  agentId: string,
): readonly DecisionBinding[] =>
  askedBindings(bindings).filter(
    (binding) => binding.trigger === trigger && (binding.agents === null || binding.agents.includes(agentId)),
  );

/**
 * How often work may be done again before the bindings give up: the largest number of those
 * involved (docs/decisions.md).
 */
export const retriesOf = (bindings: readonly DecisionBinding[]): number =>
  Math.max(0, ...bindings.map(({ maxRetries }) => maxRetries));

/**
 * Asks for another attempt: a required binding whose verdict is anything but a `pass`. Advisory
 * ones never do.
 */
export const sendsBack = ({ binding, verdict }: BoundVerdict): boolean =>
  binding.required && (verdict.isInvalid || verdict.verdict !== 'pass');

/**
 * Lets nothing through once the attempts are used up: a required binding that said `fail`, or
 * nothing that can be read. After `needs-revision` the last attempt goes on: what was asked for was
 * another try (docs/design/execution.md#verdicts).
 */
export const refuses = ({ binding, verdict }: BoundVerdict): boolean =>
  binding.required && (verdict.isInvalid || verdict.verdict === 'fail');
