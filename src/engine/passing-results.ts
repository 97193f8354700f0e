import { type DiscardedResult, prunedOutcome, type StepRow } from '../domain/journal.js';
import type { LinkedSkill } from '../domain/linked-skill.js';

/**
 * Last segment of the key of a call: its place in the response and the tool's name (plan-calls.ts).
 */
const CALL = /(?:^|\/)c\d+:([^/]+)$/;

/**
 * Results that do not outlive their run (docs/design/journal.md#retention): those of skills with
 * `log_outputs: none`, and of every step inside such a call. Activations keep theirs, as they do
 * when the rest of a journal goes.
 */
export function passingResults(
  rows: Iterable<StepRow>,
  skills: Readonly<Record<string, LinkedSkill>>,
): readonly DiscardedResult[] {
  const all = [...rows];
  const calls = all.filter((row) => isUnlogged(row, skills)).map((row) => row.key);
  const isInside = (key: string): boolean => calls.some((call) => key === call || key.startsWith(`${call}/`));
  return all.flatMap((row) =>
    row.kind === 'activation' || row.outcome === null || row.prunedAt !== undefined || !isInside(row.key)
      ? []
      : [{ key: row.key, outcome: prunedOutcome(row.outcome) }],
  );
}

function isUnlogged(row: StepRow, skills: Readonly<Record<string, LinkedSkill>>): boolean {
  if (row.kind !== 'tool' && row.kind !== 'skill') return false;
  const name = CALL.exec(row.key)?.[1];
  if (name === undefined) return false;
  const id = decodeURIComponent(name);
  return Object.hasOwn(skills, id) && skills[id]?.audit.logOutputs === 'none';
}
