import type { HeldCall, HeldConversation } from '../../domain/ports/prompts.js';
import { textsSince } from '../../domain/texts-so-far.js';
import { all, type Program, type SqlDialect } from '../program.js';
import { promptText, wholePrompt } from './whole-prompts.js';

type Texts = 'job_id' | 'conversation' | 'step_key' | 'agent_id' | 'purpose' | 'provider' | 'model' | 'asked_at';

/** A row as it is inserted; the store numbers it. */
export type NewRow = Readonly<
  Record<Texts | 'prompt' | 'answer', string> &
    Record<'said' | 'tries' | 'duration_ms' | 'bytes', number> & { skill_id: string | null; follows: number | null }
>;

export interface Unwritten {
  readonly calls: readonly HeldCall[];
  /** How many messages of a conversation its last row holds; undefined: none was written. */
  readonly written: (conversation: HeldConversation) => number | undefined;
}

/** What the dialects write differently. */
export interface WriteWords {
  readonly dialect: Pick<SqlDialect, 'rows' | 'cell'>;
  /** Behind a SELECT of rows `p` that have to be there until the commit. */
  readonly stays: string;
}

interface RowBefore {
  readonly job_id: string;
  readonly conversation: string;
  readonly said: number;
}

const THERE = ({ dialect: { rows, cell }, stays }: WriteWords): string => `
SELECT p.job_id, p.conversation, p.said FROM ${rows('before')} CROSS JOIN prompts AS p
WHERE p.job_id = ${cell(0)} AND p.conversation = ${cell(1)} AND p.said = CAST(${cell(2)} AS BIGINT) ${stays}`;

/**
 * The rows of calls, in their order. What is new of a conversation is all that a row holds where
 * the row before it is there still, or is among these; else it holds its whole prompt.
 */
export function* rowsOfCalls({ calls, written }: Unwritten, words: WriteWords): Program<readonly NewRow[]> {
  const kept = yield* keptOf({ calls, written }, words);
  const rows: NewRow[] = [];
  for (const call of calls) {
    const { conversation, messages } = call;
    rows.push(rowOf(call, kept.get(conversation) ?? null));
    kept.set(conversation, messages.count);
  }
  return rows;
}

/** How many messages the row before holds, of each conversation whose row is there: one look. */
function* keptOf({ calls, written }: Unwritten, words: WriteWords): Program<Map<HeldConversation, number>> {
  const before = new Map<HeldConversation, RowBefore>();
  for (const { conversation, jobId } of calls) {
    const said = written(conversation);
    if (said !== undefined) before.set(conversation, { job_id: jobId, conversation: conversation.name, said });
  }
  if (before.size === 0) return new Map();
  const asked = JSON.stringify([...before.values()].map(cellsOf));
  const found = yield* all<RowBefore>(THERE(words), { before: asked });
  const there = new Set(found.map((row) => String(cellsOf(row))));
  return new Map([...before].flatMap(([talk, row]) => (there.has(String(cellsOf(row))) ? [[talk, row.said]] : [])));
}

const cellsOf = (row: RowBefore) => [row.job_id, row.conversation, row.said] as const;

function rowOf(call: HeldCall, kept: number | null): NewRow {
  const { messages, settings, answer } = call;
  const fresh = kept === null ? null : textsSince(messages, kept);
  const prompt = fresh === null ? wholePrompt(messages, settings) : promptText(fresh, { settings, leftOut: 0 });
  return {
    job_id: call.jobId,
    conversation: call.conversation.name,
    follows: fresh === null ? null : kept,
    said: messages.count,
    step_key: call.stepKey,
    agent_id: call.agentId,
    skill_id: call.skillId,
    purpose: call.purpose,
    provider: call.provider,
    model: call.model,
    tries: call.tries,
    asked_at: call.askedAt,
    duration_ms: call.durationMs,
    bytes: Buffer.byteLength(prompt) + Buffer.byteLength(answer),
    prompt,
    answer,
  };
}
