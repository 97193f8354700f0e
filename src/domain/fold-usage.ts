import type { Usage } from './job.js';
import type { StepOutcome, StepRow } from './journal.js';
import { isTakenOver } from './taken-over.js';

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };

/**
 * Sum of what the rows of a run used, but for those that another run carried out. One unknown cost
 * makes the sum unknown: null, never a number that is too small. So is the cost of a session that
 * waits for a person: its program tells what it used when it has gone on.
 */
export function foldUsage(rows: Iterable<StepRow>): Usage {
  let total = NOTHING;
  const isTold = new Map<string, boolean>();
  for (const row of rows) {
    if (isTakenOver(row)) continue;
    if (row.kind === 'harness' && row.outcome?.status === 'ok')
      isTold.set(row.key.slice(0, row.key.lastIndexOf('/')), row.usage !== null);
    if (row.usage !== null) total = addUsage(total, row.usage);
  }
  return [...isTold.values()].includes(false) ? { ...total, costUsd: null } : total;
}

/** An unknown cost stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    ...(a.estimated === true || b.estimated === true ? { estimated: true } : {}),
  };
}

/**
 * Agent id -> unified diff of what its activations came to, in the order they started; null when no
 * harness ran (0 bytes = it changed nothing).
 */
export function foldDiffs(rows: Iterable<StepRow>): Readonly<Record<string, string>> | null {
  const sessions = lastSessions(rows);
  if (sessions.length === 0) return null;
  const diffs: Record<string, string> = {};
  for (const { agentId, diff } of sessions) diffs[agentId] = (diffs[agentId] ?? '') + diff;
  return diffs;
}

/** The session that an activation of a harness agent ended with. */
export interface LastSession {
  readonly agentId: string;
  /** Journal key of the activation. */
  readonly activation: string;
  readonly diff: string;
  readonly row: StepRow & { readonly outcome: StepOutcome };
}

/**
 * The last session of each activation, in the order the activations started: of its drafts the last
 * one is the result. A reviewer changes nothing: its sessions are not among them.
 */
export function lastSessions(rows: Iterable<StepRow>): readonly LastSession[] {
  const last = new Map<string, LastSession>();
  for (const row of rows) {
    const { agentId, outcome } = row;
    if (row.kind !== 'harness' || agentId === null || outcome === null || REVIEWER.test(row.key)) continue;
    const data = outcome.status === 'ok' ? outcome.value : (outcome.data ?? null);
    const activation = row.key.replace(DRAFT, '');
    last.set(activation, { agentId, activation, diff: diffOf(data), row: { ...row, outcome } });
  }
  return [...last.values()];
}

/**
 * What follows the activation in the key of a session: `x`, or `s<n>` where each call is asked of
 * kit and a session that waited for a person goes on in another step.
 */
const DRAFT = /\/d\d+\/(?:x|s\d+)$/;

function diffOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const diff: unknown = Reflect.get(data, 'diff') ?? Reflect.get(data, 'partial_diff');
  return typeof diff === 'string' ? diff : '';
}

/** A session of a funnel's reviewer lies below the step of its layer. */
const REVIEWER = /\/review\/c0:/;
