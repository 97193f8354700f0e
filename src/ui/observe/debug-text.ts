import type { RunDebug } from '../../app/observe/read-debug.js';
import type { StepRow } from '../../domain/journal.js';
import { countText, durationText, manyLines, oneLine, tokensText } from '../../view/lines/words.js';

/** Characters of a result that a list shows; the whole stands in `--json`, and with `--full`. */
const SHOWN_CHARS = 300;

/** The steps of a run and what each came to. */
export function debugText({ job, steps, prunedSteps }: RunDebug, options: { readonly full: boolean }): string {
  const head = `run ${job.id} of ${oneLine(job.topology, 100)}  ${job.status}  ${countText(steps.length, 'step')}`;
  const gone = prunedSteps === 0 ? [] : [`the results of ${countText(prunedSteps, 'step')} were removed from the journal (storage.journal_days)`];
  return [head, ...gone, ...steps.flatMap((row) => stepText(row, options.full))].join('\n');
}

function stepText(row: StepRow, isFull: boolean): readonly string[] {
  const ms = row.endedAt === null ? null : Date.parse(row.endedAt) - Date.parse(row.startedAt);
  const facts = [
    row.kind,
    ...(row.agentId === null ? [] : [row.agentId]),
    ...(ms === null ? [] : [durationText(ms)]),
    ...(row.usage === null ? [] : [tokensText(row.usage)]),
    ...(row.attempt > 1 ? [`attempt ${row.attempt}`] : []),
  ];
  const result = resultText(row);
  const shown = isFull ? manyLines(result) : oneLine(result, SHOWN_CHARS);
  return [`${oneLine(row.key, 400)}  ${facts.map((fact) => oneLine(fact, 80)).join(' · ')}`, `    ${shown.replaceAll('\n', '\n    ')}`];
}

function resultText({ outcome, prunedAt }: StepRow): string {
  if (outcome === null) return 'no result yet';
  if (prunedAt !== undefined) return `${outcome.status}; its result was removed`;
  if (outcome.status === 'failed') return `failed (${outcome.reason}): ${outcome.message}`;
  return typeof outcome.value === 'string' ? outcome.value : JSON.stringify(outcome.value);
}
