import type { AgentNode } from '../../domain/agent-node.js';
import type { StepRow } from '../../domain/journal.js';
import type { FinishedWork } from '../../prompts/memory.js';
import { outputText } from '../results.js';

/** Characters of one output, and of all of one run, that are looked through for memories. */
const MAX_OUTPUT_CHARS = 4_000;
const MAX_CHARS = 24_000;
const DRAFT = /\/d(\d+)(?=\/)/g;

/**
 * Outputs of a completed run that may be worth a memory: of activations of the topology's agents
 * that ended well, were not part of a draft that was sent back, and are long enough. In the order
 * in which they began.
 */
export function finishedWork(
  rows: Iterable<StepRow>,
  of: { readonly root: AgentNode; readonly minLength: number },
): readonly FinishedWork[] {
  const all = [...rows];
  const last = lastDrafts(all);
  const agents = new Set(idsOf(of.root));
  const works: FinishedWork[] = [];
  let chars = 0;
  for (const { key, kind, agentId, outcome } of all) {
    if (
      kind !== 'activation' ||
      agentId === null ||
      !agents.has(agentId) ||
      outcome?.status !== 'ok' ||
      !isOfLastDraft(key, last)
    )
      continue;
    const output = textOf(outcome.value);
    if (output.length < of.minLength || chars >= MAX_CHARS) continue;
    const shown = output.slice(0, Math.min(MAX_OUTPUT_CHARS, MAX_CHARS - chars)).toWellFormed();
    chars += shown.length;
    works.push({ agent: agentId, output: shown });
  }
  return works;
}

const idsOf = (node: AgentNode): readonly string[] => [node.id, ...node.children.flatMap(idsOf)];

/** The value of an activation is `{output}`; anything else has nothing to say. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('output' in value)) return '';
  const { output } = value as { readonly output: Parameters<typeof outputText>[0] };
  return outputText(output);
}

/** Number of the last draft of each activation, by its key. */
function lastDrafts(rows: readonly StepRow[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { key } of rows)
    for (const match of key.matchAll(DRAFT)) {
      const activation = key.slice(0, match.index);
      last.set(activation, Math.max(last.get(activation) ?? 0, Number(match[1])));
    }
  return last;
}

const isOfLastDraft = (key: string, last: ReadonlyMap<string, number>): boolean =>
  [...key.matchAll(DRAFT)].every((match) => Number(match[1]) === last.get(key.slice(0, match.index)));
