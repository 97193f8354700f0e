import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { StepRow } from '../../domain/journal.js';
import type { RemoteMessage } from '../../domain/ports/remote-agents.js';
import { budgetLeft } from '../../govern/limits.js';
import type { RunServices } from '../services.js';
import { type RemoteNote, remoteNoteOf } from './remote-note.js';
import type { AgentCall } from './skill-call.js';

/** What a call may hand on of what its run may still use. */
export type Allowance =
  | { readonly kind: 'budget'; readonly budget: RemoteMessage['budget'] }
  /** Other calls hold all that is left: what they do not use is given back. */
  | { readonly kind: 'held'; readonly why: string }
  | { readonly kind: 'over'; readonly why: string };

/**
 * What was handed on before, where the message may have been sent: it is the same on each attempt.
 * Else money that is handed on is reserved: a second call gets what the first one has left. The
 * turns are not, as nobody reports them. Where the cost so far is not known, none is left.
 */
export function allowanceOf(
  { snapshot, steps }: Pick<RunServices, 'snapshot' | 'steps'>,
  { agent, context }: Pick<AgentCall, 'agent' | 'context'>,
  { budget: known }: RemoteNote,
): Allowance {
  if (known !== undefined) return { kind: 'budget', budget: known };
  const { limits } = snapshot;
  const { session } = steps.deps;
  const others = [...session.all()].filter(({ key, notes }) => key !== context.key && remoteNoteOf(notes) !== null);
  if (others.length >= (limits.maxRemoteCalls ?? DEFAULTS.GovernanceLimits.max_remote_calls))
    return over('max_remote_calls');
  const { usd: left } = budgetLeft(limits, session.spent);
  if (left !== null && left <= 0) return over('max_cost_per_run_usd');
  const turns = limits.maxStepsPerRun - session.spent.steps;
  if (turns < 1) return over('max_steps_per_run');
  const usd = left === null ? null : left - heldUsd(others);
  if (usd !== null && usd < LEAST_USD)
    return { kind: 'held', why: 'is asked once other calls give back what they hold of max_cost_per_run_usd' };
  const wallClockMs = agent.timeoutMs;
  return { kind: 'budget', budget: { usd, turns: Number.isFinite(turns) ? turns : null, wallClockMs } };
}

const over = (limit: string): Allowance => ({
  kind: 'over',
  why: `governance.limits.${limit} leaves nothing for an agent that runs elsewhere`,
});

/** Less is a rest of a subtraction. */
const LEAST_USD = 1e-9;

const heldUsd = (rows: readonly StepRow[]): number =>
  rows.reduce((sum, { outcome, notes }) => sum + (outcome === null ? reservedOf(remoteNoteOf(notes)) : 0), 0);

/** An agent that does not honour it would use no less for it. */
const reservedOf = (note: RemoteNote | null): number => (note?.honorsBudget === true ? (note.budget?.usd ?? 0) : 0);
