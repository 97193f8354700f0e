import type { PromptBounds } from '../../domain/ports/prompts.js';
import { all, get, type Program, run, type SqlDialect } from '../program.js';
import { type PromptRow, wholePrompts } from './whole-prompts.js';

/** What the dialects write differently. */
export interface TrimWords {
  readonly dialect: Pick<SqlDialect, 'goes' | 'list' | 'rows' | 'cell'>;
  /** Whether nobody else trims until the commit, as an expression. */
  readonly isAlone: string;
}

/** Numbers of a JSON list, as a subquery. */
const numbers = ({ list }: Pick<SqlDialect, 'list'>, param: string): string =>
  `(SELECT CAST(list.value AS BIGINT) FROM ${list(param)})`;

/** The newest row that is one too many, by number alone; 0: none is. */
const byNumber = (isAlone: string): string => `
SELECT coalesce((SELECT ord FROM prompts ORDER BY ord DESC LIMIT 1 OFFSET @count), 0) AS border, ${isAlone} AS is_alone`;

const KEPT = `
SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes, min(asked_at) AS oldest FROM prompts WHERE ord > @border`;

/** The same by bytes; the newest stays whatever its size. */
const BY_BYTES = `
SELECT coalesce(max(ord), 0) AS border FROM (
  SELECT ord, row_number() OVER (ORDER BY ord DESC) AS place, sum(bytes) OVER (ORDER BY ord DESC) AS total FROM prompts) AS ring
WHERE place > 1 AND total > @maxBytes`;

/** Rows up to the border, along the key. */
export const going = (goes: string): string => `SELECT ord FROM prompts WHERE ord <= @border ${goes}`;

/**
 * With those behind it that have grown too old. Whoever looks for them looks at every row, and on a
 * server at every one that it has not swept yet: only where there are any.
 */
const goingWithAge = (goes: string): string =>
  `SELECT ord FROM prompts WHERE ord <= @border OR asked_at < @before ${goes}`;

/** Rows that stay and refer to rows that go, one for each conversation. */
const heirs = (dialect: TrimWords['dialect']): string => `
SELECT min(p.ord) AS ord FROM prompts AS p
WHERE p.ord NOT IN ${numbers(dialect, 'going')} AND (p.job_id, p.conversation) IN (SELECT g.job_id, g.conversation FROM prompts AS g WHERE g.ord IN ${numbers(dialect, 'going')})
GROUP BY p.job_id, p.conversation`;

const rowsUpTo = (dialect: TrimWords['dialect']): string => `
SELECT p.ord, p.job_id, p.conversation, p.follows, p.prompt FROM prompts AS p
JOIN prompts AS h ON h.job_id = p.job_id AND h.conversation = p.conversation AND h.ord >= p.ord
WHERE h.ord IN ${numbers(dialect, 'heirs')} ORDER BY p.ord`;

/** Rows of number, whole prompt, and by how many bytes it is longer. */
const makeWhole = ({ rows, cell }: TrimWords['dialect']): string => `
UPDATE prompts SET follows = NULL, prompt = ${cell(1)}, bytes = bytes + CAST(${cell(2)} AS BIGINT)
FROM ${rows('grown')} WHERE prompts.ord = CAST(${cell(0)} AS BIGINT)`;

const drop = (dialect: TrimWords['dialect']): string => `DELETE FROM prompts WHERE ord IN ${numbers(dialect, 'going')}`;

/**
 * Drops what the bounds leave no room for. Where a row stays that refers to rows which go, it takes
 * over what they tell: each call that is kept is kept with its whole prompt.
 */
export function* trimCalls(
  words: TrimWords,
  of: { readonly bounds: PromptBounds; readonly now: string },
): Program<void> {
  // A row that took over what others told has grown, and the bytes are to be counted once more.
  while (yield* trimOnce(words, of));
}

function* trimOnce(
  { isAlone, dialect }: TrimWords,
  { bounds, now }: { readonly bounds: PromptBounds; readonly now: string },
): Program<boolean> {
  const ring = yield* get<{ border: number; is_alone: number | boolean }>(byNumber(isAlone), { count: bounds.count });
  if (ring === undefined || !ring.is_alone) return false;
  const before = new Date(Date.parse(now) - bounds.ageMs).toISOString();
  const kept = yield* get<{ bytes: number; oldest: string | null }>(KEPT, { border: ring.border });
  const isTooMuch = (kept?.bytes ?? 0) > bounds.bytes;
  const border = isTooMuch ? yield* borderOf(bounds.bytes) : ring.border;
  const isTooOld = (kept?.oldest ?? before) < before;
  if (border === 0 && !isTooOld) return false;
  const rows = yield* all<{ ord: number }>(
    isTooOld ? goingWithAge(dialect.goes) : going(dialect.goes),
    isTooOld ? { border, before } : { border },
  );
  if (rows.length === 0) return false;
  const list = JSON.stringify(rows.map(({ ord }) => ord));
  const grown = yield* passOn(dialect, list);
  yield* run(drop(dialect), { going: list });
  return grown;
}

function* borderOf(maxBytes: number): Program<number> {
  return (yield* get<{ border: number }>(BY_BYTES, { maxBytes }))?.border ?? 0;
}

/** What goes is told by the rows that stay. True: some have grown. */
function* passOn(dialect: TrimWords['dialect'], list: string): Program<boolean> {
  const found = (yield* all<{ ord: number }>(heirs(dialect), { going: list })).map(({ ord }) => ord);
  if (found.length === 0) return false;
  const rows = yield* all<PromptRow>(rowsUpTo(dialect), { heirs: JSON.stringify(found) });
  const prompts = wholePrompts(rows);
  const grown = rows.flatMap(({ ord, follows, prompt }) => {
    const whole = prompts.get(ord);
    if (follows === null || whole === undefined || !found.includes(ord)) return [];
    return [[ord, whole, Buffer.byteLength(whole) - Buffer.byteLength(prompt)]];
  });
  if (grown.length > 0) yield* run(makeWhole(dialect), { grown: JSON.stringify(grown) });
  return grown.length > 0;
}
