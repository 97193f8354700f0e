import type { KeptPrompts, RunDebug } from '../app/observe/read-debug.js';
import type { StepRow } from '../domain/journal.js';
import type { KeptPrompt } from '../domain/ports/prompts.js';
import { countText, durationText, manyLines, oneLine, tokensText } from '../view/lines/words.js';

/** Characters of a result that a list shows; the whole stands in `--json`, and with `--full`. */
const SHOWN_CHARS = 300;

/** The steps of a run and what each came to. */
export function debugText({ job, steps, prunedSteps, prompts }: RunDebug, options: { readonly full: boolean }): string {
  const head = `run ${job.id} of ${oneLine(job.topology, 100)}  ${job.status}  ${countText(steps.length, 'step')}`;
  const gone =
    prunedSteps === 0
      ? []
      : [`the results of ${countText(prunedSteps, 'step')} were removed from the journal (storage.journal_days)`];
  const asked = Map.groupBy(prompts, ({ stepKey }) => stepKey);
  const stepLines = steps.flatMap((row) => [
    ...stepText(row, options.full),
    ...(asked.get(row.key) ?? []).flatMap((prompt) => askedText(prompt, options.full)),
  ]);
  return [head, ...gone, ...stepLines].join('\n');
}

/** The newest calls of models, and how many there are. */
export function promptsText({ prompts, kept }: KeptPrompts, options: { readonly full: boolean }): string {
  const head = `${countText(kept, 'call')} of models kept (KIT_DEBUG_PROMPTS)`;
  const calls = prompts.flatMap((prompt) => [
    `${prompt.askedAt}  run ${prompt.jobId}  ${[prompt.stepKey, prompt.agentId, `${prompt.provider}/${prompt.model}`].map((word) => oneLine(word, 400)).join(' · ')}`,
    ...askedText(prompt, options.full),
    `    answered: ${shownText(prompt.answer, options.full)}`,
  ]);
  return [head, ...calls].join('\n');
}

/** What was asked; of a list only what was said last. */
function askedText({ prompt, tries }: KeptPrompt, isFull: boolean): readonly string[] {
  const again = tries > 1 ? `, try ${tries}` : '';
  return [`    asked${again}: ${isFull ? shownText(prompt, true) : oneLine(lastSaid(prompt), SHOWN_CHARS)}`];
}

function lastSaid(prompt: string): string {
  const { messages } = JSON.parse(prompt) as {
    readonly messages: readonly { readonly role: string; readonly parts: readonly unknown[] }[];
  }; // of `keptPrompt`
  const last = messages.at(-1);
  return last === undefined ? 'nothing' : `${last.role}: ${JSON.stringify(last.parts)}`;
}

function shownText(json: string, isFull: boolean): string {
  return isFull
    ? manyLines(JSON.stringify(JSON.parse(json), null, 2)).replaceAll('\n', '\n    ')
    : oneLine(json, SHOWN_CHARS);
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
  return [
    `${oneLine(row.key, 400)}  ${facts.map((fact) => oneLine(fact, 80)).join(' · ')}`,
    `    ${shown.replaceAll('\n', '\n    ')}`,
  ];
}

function resultText({ outcome, prunedAt }: StepRow): string {
  if (outcome === null) return 'no result yet';
  if (prunedAt !== undefined) return `${outcome.status}; its result was removed`;
  if (outcome.status === 'failed') return `failed (${outcome.reason}): ${outcome.message}`;
  return typeof outcome.value === 'string' ? outcome.value : JSON.stringify(outcome.value);
}
