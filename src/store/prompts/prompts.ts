import type { KeptPrompt, PromptBounds, PromptBuffer } from '../../domain/ports/prompts.js';
import { all, get, type Program, run } from '../program.js';

const COLUMNS = 'job_id, step_key, agent_id, skill_id, purpose, provider, model, tries, asked_at, duration_ms, prompt, answer';

const KEEP = `INSERT INTO prompts (job_id, step_key, agent_id, skill_id, purpose, provider, model, tries, asked_at, duration_ms, bytes, prompt, answer)
VALUES (@jobId, @stepKey, @agentId, @skillId, @purpose, @provider, @model, @tries, @askedAt, @durationMs, @bytes, @prompt, @answer)`;

/** `lock`: two processes that drop the same rows do not wait for each other; whoever comes next drops what was left. */
const drop = (lock: string): string => `DELETE FROM prompts WHERE ord IN (SELECT p.ord FROM prompts AS p WHERE p.ord IN (SELECT ord FROM (
SELECT ord, asked_at, row_number() OVER (ORDER BY ord DESC) AS place, sum(bytes) OVER (ORDER BY ord DESC) AS total FROM prompts) AS ring
WHERE place > @count OR (place > 1 AND total > @maxBytes) OR asked_at < @before) ${lock})`;

const LIST = `SELECT ${COLUMNS} FROM prompts WHERE CAST(@jobId AS TEXT) IS NULL OR job_id = @jobId ORDER BY ord DESC LIMIT @limit`;
const COUNT = 'SELECT count(*) AS count FROM prompts';

interface PromptRecord {
  readonly job_id: string;
  readonly step_key: string;
  readonly agent_id: string;
  readonly skill_id: string | null;
  readonly purpose: string;
  readonly provider: string;
  readonly model: string;
  readonly tries: number;
  readonly asked_at: string;
  readonly duration_ms: number;
  readonly prompt: string;
  readonly answer: string;
}

/** The buffer over what carries out programs: the same in both dialects but for the lock. */
export function createPrompts(of: {
  readonly read: <T>(program: () => Program<T>) => Promise<T>;
  readonly write: <T>(program: (now: string) => Program<T>) => Promise<T>;
  readonly lock: string;
}): PromptBuffer {
  const dropText = drop(of.lock);
  return {
    keep: (prompts, bounds) => of.write((now) => keep(prompts, { bounds, now, dropText })),
    list: (ask) => of.read(() => list(ask)),
    count: () => of.read(count),
  };
}

function* keep(
  prompts: readonly KeptPrompt[],
  of: { readonly bounds: PromptBounds; readonly now: string; readonly dropText: string },
): Program<void> {
  for (const prompt of prompts) {
    const bytes = Buffer.byteLength(prompt.prompt) + Buffer.byteLength(prompt.answer);
    yield* run(KEEP, { ...prompt, bytes });
  }
  const { count: most, bytes: maxBytes, ageMs } = of.bounds;
  yield* run(of.dropText, { count: most, maxBytes, before: new Date(Date.parse(of.now) - ageMs).toISOString() });
}

function* list(ask: { readonly jobId: string | null; readonly limit: number }): Program<readonly KeptPrompt[]> {
  return (yield* all<PromptRecord>(LIST, { ...ask })).map(decode);
}

function* count(): Program<number> {
  return (yield* get<{ count: number }>(COUNT, {}))?.count ?? 0;
}

const decode = (row: PromptRecord): KeptPrompt => ({
  jobId: row.job_id,
  stepKey: row.step_key,
  agentId: row.agent_id,
  skillId: row.skill_id,
  // Written by `keep` from a value of this type, and by nobody else.
  purpose: row.purpose as KeptPrompt['purpose'],
  provider: row.provider,
  model: row.model,
  tries: row.tries,
  askedAt: row.asked_at,
  durationMs: row.duration_ms,
  prompt: row.prompt,
  answer: row.answer,
});
