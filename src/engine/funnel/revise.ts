import type { RecordedDecision } from '../../domain/gates.js';
import type { Json } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { extractJson } from '../../lib/extract-json.js';
import { type ReworkFacts, revision } from '../../prompts/rework.js';
import { endGone } from '../../prompts/shortened.js';
import { type Activation, textTask } from '../activation-call.js';
import type { EndedConversation } from '../drafts.js';
import { textOf } from '../model-ends.js';
import { outputText } from '../results.js';
import type { GateDraft } from './gate-draft.js';

/**
 * Of all decisions the newest so many are reported, each comment cut to so many characters, and of
 * the draft so many (docs/design/execution.md#rework).
 */
export const MAX_REPORTED_DECISIONS = 40;
export const MAX_COMMENT_CHARS = 2000;
const MAX_DRAFT_CHARS = 60_000;

/** One decision as the agent is told it; plain JSON, recorded by the gate step. */
export type ReportedDecision = Pick<RecordedDecision, 'identity' | 'role' | 'comment' | 'round'> & {
  readonly outcome: string;
  /** About an earlier draft. */
  readonly stale: boolean;
};

/** Why a draft is made again. */
export interface Revision {
  readonly draft: GateDraft;
  /** The round in which people asked for changes; null before they have seen anything. */
  readonly round: number | null;
  readonly decisions: readonly ReportedDecision[];
  /** What the automated layers found in the last draft; null when people alone ask for changes. */
  readonly critique: { readonly source: string; readonly text: string } | null;
}

/**
 * The task once more, with what is to be done otherwise. Everything here is on the journal, so
 * every replay builds the same text.
 */
export const revisedTask = (activation: Activation, made: Revision): Activation => ({
  ...activation,
  task: [...activation.task, ...textTask(revision(factsOf(made)))],
});

/**
 * The same for a conversation that goes on: the draft is told where it is not what the model said,
 * because a check has corrected it.
 */
export function revisionOf(made: Revision, { messages }: EndedConversation): string {
  const said = textOf(messages.at(-1)?.parts ?? []).trim();
  const facts = factsOf(made);
  return revision(isSaid(said, made.draft.output) ? { ...facts, draft: null } : facts);
}

function isSaid(said: string, output: Json): boolean {
  if (said === outputText(output).trim()) return true;
  const found = typeof output === 'string' ? { found: false as const } : extractJson(said);
  return found.found && canonicalJson(found.value as Json) === canonicalJson(output);
}

const factsOf = ({ round, decisions, critique, draft }: Revision): ReworkFacts => ({
  decisions: decisions.length === 0 ? null : linesOf(decisions),
  draft: shorten(outputText(draft.output)),
  seenIn: critique === null ? round : null,
  diff: draft.diff === null || draft.diff === '' ? null : shorten(draft.diff),
  findings: critique,
});

const linesOf = (decisions: readonly ReportedDecision[]): string =>
  decisions.map((one) => JSON.stringify(one satisfies Json)).join('\n');

function shorten(text: string): string {
  return text.length <= MAX_DRAFT_CHARS
    ? text
    : `${text.slice(0, MAX_DRAFT_CHARS).toWellFormed()}\n${endGone(text.length)}`;
}
