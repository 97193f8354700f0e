import type { HeldCall, HeldConversation } from '../../domain/ports/prompts.js';
import { textsSince } from '../../domain/texts-so-far.js';
import { get, type Program } from '../program.js';
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

const isThere = (stays: string): string =>
  `SELECT 1 AS found FROM prompts WHERE job_id = @jobId AND conversation = @conversation AND said = @said LIMIT 1 ${stays}`;

/**
 * The rows of calls, in their order. What is new of a conversation is all that a row holds where
 * the row before it is there still, or is among these; else it holds its whole prompt. `stays`:
 * stands behind a SELECT of a row that has to be there until the commit.
 */
export function* rowsOfCalls({ calls, written }: Unwritten, stays: string): Program<readonly NewRow[]> {
  const kept = new Map<HeldConversation, number | null>();
  const rows: NewRow[] = [];
  for (const call of calls) {
    const { conversation, messages, jobId } = call;
    if (!kept.has(conversation)) {
      const said = written(conversation);
      const before = { jobId, conversation: conversation.name, said: said ?? 0 };
      const isKept = said !== undefined && (yield* get(isThere(stays), before)) !== undefined;
      kept.set(conversation, isKept ? said : null);
    }
    rows.push(rowOf(call, kept.get(conversation) ?? null));
    kept.set(conversation, messages.count);
  }
  return rows;
}

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
