import type { Usage } from '../domain/job.js';
import type { StepRow } from '../domain/journal.js';

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };

/** Sum of what the rows of a run used. One unknown cost makes the sum unknown: null, never a number that is too small. */
export function foldUsage(rows: Iterable<StepRow>): Usage {
  let total = NOTHING;
  for (const row of rows) if (row.usage !== null) total = addUsage(total, row.usage);
  return total;
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

/** Agent id -> unified diff of its sessions, in the order they started; null when no harness ran (0 bytes = it changed nothing). */
export function foldDiffs(rows: Iterable<StepRow>): Readonly<Record<string, string>> | null {
  const diffs: Record<string, string> = {};
  let any = false;
  for (const row of rows) {
    if (row.kind !== 'harness' || row.agentId === null || row.outcome === null) continue;
    any = true;
    const data = row.outcome.status === 'ok' ? row.outcome.value : (row.outcome.data ?? null);
    const diff = diffOf(data);
    diffs[row.agentId] = (diffs[row.agentId] ?? '') + diff;
  }
  return any ? diffs : null;
}

function diffOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const diff: unknown = Reflect.get(data, 'diff') ?? Reflect.get(data, 'partial_diff');
  return typeof diff === 'string' ? diff : '';
}
