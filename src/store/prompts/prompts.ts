import type { KeptPrompt, PromptBuffer } from '../../domain/ports/prompts.js';
import type { Pacing } from '../pacing.js';
import { all, get, type Program } from '../program.js';
import { PromptRing } from './prompt-ring.js';
import { type TrimWords, trimCalls } from './trim-calls.js';
import { type PromptRow, wholePrompts } from './whole-prompts.js';
import { type NewRow, rowsOfCalls, type WriteWords } from './write-calls.js';

/**
 * The rows that are asked for, with all of their conversations: a row alone need not have its whole
 * prompt. One statement, so that nothing is trimmed in between.
 */
const LIST = `WITH listed AS (
  SELECT ord, job_id, conversation FROM prompts WHERE CAST(@jobId AS TEXT) IS NULL OR job_id = @jobId ORDER BY ord DESC LIMIT @limit)
SELECT p.ord, p.job_id, p.conversation, p.follows, p.step_key, p.agent_id, p.skill_id, p.purpose, p.provider, p.model, p.tries, p.asked_at,
  p.duration_ms, p.prompt, p.answer, (p.ord IN (SELECT ord FROM listed)) AS is_listed
FROM prompts AS p
WHERE p.ord IN (SELECT ord FROM listed) OR (p.job_id, p.conversation) IN (SELECT job_id, conversation FROM listed)
ORDER BY p.ord`;
const COUNT = 'SELECT count(*) AS count FROM prompts';

interface PromptRecord extends PromptRow {
  readonly step_key: string;
  readonly agent_id: string;
  readonly skill_id: string | null;
  readonly purpose: string;
  readonly provider: string;
  readonly model: string;
  readonly tries: number;
  readonly asked_at: string;
  readonly duration_ms: number;
  readonly answer: string;
  readonly is_listed: number | boolean;
}

/** A buffer that is closed with its store, before the store takes no more writes. */
export interface ClosingBuffer extends PromptBuffer {
  close(): Promise<void>;
}

interface PromptParts {
  readonly read: <T>(program: () => Program<T>) => Promise<T>;
  /** Inserts rows and then trims, in one commit; `now` is the clock of the store. */
  readonly write: (
    rows: () => Program<readonly NewRow[]>,
    trim: ((now: string) => Program<void>) | null,
  ) => Promise<void>;
  readonly pacing: Pick<Pacing, 'nowMs' | 'sleep'>;
  readonly words: TrimWords & WriteWords;
}

/** The buffer over what carries out programs: the same in both dialects but for `words`. */
export function createPrompts(of: PromptParts): ClosingBuffer {
  const { words, pacing } = of;
  const ring = new PromptRing({
    pacing,
    write: ({ trim: bounds, ...unwritten }) =>
      of.write(
        () => rowsOfCalls(unwritten, words),
        bounds === null ? null : (now) => trimCalls(words, { bounds, now }),
      ),
  });
  // Calls that cannot be written are missed by whoever made them, not by those who look.
  const settled = () => ring.flush().catch(() => undefined);
  return {
    keeper: async (bounds) => ring.bound(bounds),
    list: async (ask) => settled().then(() => of.read(() => list(ask))),
    count: async () => settled().then(() => of.read(count)),
    close: () => ring.close().catch(() => undefined),
  };
}

function* list(ask: { readonly jobId: string | null; readonly limit: number }): Program<readonly KeptPrompt[]> {
  const rows = yield* all<PromptRecord>(LIST, { ...ask });
  const prompts = wholePrompts(rows);
  return rows
    .filter((row) => row.is_listed)
    .map((row) => decode(row, prompts.get(row.ord) ?? row.prompt))
    .toReversed();
}

function* count(): Program<number> {
  return (yield* get<{ count: number }>(COUNT, {}))?.count ?? 0;
}

const decode = (row: PromptRecord, prompt: string): KeptPrompt => ({
  jobId: row.job_id,
  stepKey: row.step_key,
  agentId: row.agent_id,
  skillId: row.skill_id,
  // Written by `writeCalls` from a value of this type, and by nobody else.
  purpose: row.purpose as KeptPrompt['purpose'],
  provider: row.provider,
  model: row.model,
  tries: row.tries,
  askedAt: row.asked_at,
  durationMs: row.duration_ms,
  prompt,
  answer: row.answer,
});
