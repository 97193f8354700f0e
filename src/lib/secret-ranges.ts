/** Characters from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Shorter spellings are looked for whole and on one line: pieces of them are ordinary words. */
const MIN_PIECE_CHARS = 12;

/**
 * A line break as output wraps at it: `base64` writes 76 columns. Written out as in JSON, it counts
 * too.
 */
const BREAKS = /(?:\r?\n|(?:\\r)?\\n)[ \t]*/g;

/**
 * Every piece of 12 characters holds one group of 4 that begins at a multiple of 9: only those
 * groups of a text are looked up.
 */
const GROUP_CHARS = 4;
const STRIDE = MIN_PIECE_CHARS - GROUP_CHARS + 1;

/**
 * What is looked for, made once for every change of it: a text is searched for hundreds of these,
 * and every text is searched.
 */
export interface Spellings {
  readonly forms: readonly string[];
  /** Forms that are looked for wrapped too. */
  readonly long: readonly string[];
  readonly short: readonly string[];
  /** By the hash of a group of characters: the needles that hold it, and where. */
  readonly groups: ReadonlyMap<number, readonly { readonly needle: Needle; readonly offset: number }[]>;
}

/** A piece that gives a form away, and where in the form it stands. */
interface Needle {
  readonly piece: string;
  readonly form: string;
  readonly isEnd: boolean;
}

export function spellingsOf(forms: readonly string[]): Spellings {
  const long = forms.filter(isLong);
  const groups = new Map<number, { readonly needle: Needle; readonly offset: number }[]>();
  for (const needle of [...needlesOf(long, false), ...needlesOf(long, true)]) {
    for (let offset = 0; offset < STRIDE; offset += 1) {
      const hash = hashAt(needle.piece, offset);
      const same = groups.get(hash);
      if (same === undefined) groups.set(hash, [{ needle, offset }]);
      else same.push({ needle, offset });
    }
  }
  return { forms, long, short: forms.filter((form) => !isLong(form)), groups };
}

/**
 * Of the group of characters that begins there. Two groups may have one hash: what is found is
 * compared.
 */
const hashAt = (text: string, at: number): number => {
  let hash = 0;
  for (let next = at; next < at + GROUP_CHARS; next += 1) hash = (hash * 31 + text.charCodeAt(next)) | 0;
  return hash;
};

const isLong = ({ length }: string): boolean => length >= MIN_PIECE_CHARS;

/**
 * `GOOGLE_APPLICATION_CREDENTIALS` and the like are paths: half of one is the directory that every
 * other path stands in.
 */
const PATH = /^(?:~|\.{0,2})\/[\w.@~ -]+(?:\/[\w.@~ -]+)+\/?$/;
/**
 * A URL with a password is told by what stands before its host; the same server without a password
 * is not a secret.
 */
const USERINFO = /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*@/i;

/** How much of a form gives it away. */
function pieceChars(form: string): number {
  if (PATH.test(form)) return form.length;
  const beforeHost = USERINFO.exec(form)?.[0].length;
  return beforeHost !== undefined && beforeHost >= MIN_PIECE_CHARS
    ? beforeHost
    : Math.max(MIN_PIECE_CHARS, Math.ceil(form.length / 2));
}

/** Of forms with one beginning (base64 with and without its `=`), the longest finds the others. */
function needlesOf(forms: readonly string[], isEnd: boolean): readonly Needle[] {
  const found: Needle[] = [];
  for (const form of forms.toSorted((a, b) => b.length - a.length)) {
    const chars = pieceChars(form);
    if (isEnd && (chars === form.length || USERINFO.test(form))) continue;
    const piece = isEnd ? form.slice(-chars) : form.slice(0, chars);
    const isKnown = found.some((other) =>
      isEnd
        ? other.form.endsWith(form) && piece.endsWith(other.piece)
        : other.form.startsWith(form) && piece.startsWith(other.piece),
    );
    if (!isKnown) found.push({ piece, form, isEnd });
  }
  return found;
}

/**
 * Where spellings of secrets stand in a text, in order and without overlaps. Besides whole ones:
 * the first or the last half of one and more (12 characters at least), because texts are cut to a
 * length before anybody knows what is in them, and long ones that go on in the next line.
 */
export function secretRanges(text: string, spellings: Spellings): readonly Range[] {
  // Nothing that is looked for in pieces is that short, and most texts are.
  if (text.length < MIN_PIECE_CHARS) return joinRanges(shortIn(text, spellings));
  const flat = spellings.long.length === 0 ? null : flatten(text);
  const wrapped =
    flat === null
      ? []
      : longIn(flat.text, spellings).map(({ start, end }) => ({ start: flat.at(start), end: flat.at(end - 1) + 1 }));
  return joinRanges([...shortIn(text, spellings), ...longIn(text, spellings), ...wrapped]);
}

/**
 * The first place from which on the text may be the beginning of a spelling, of which the rest has
 * not come; the length of the text = none.
 */
export function unfinishedAt(text: string, { forms, long }: Spellings): number {
  const longest = longestOf(forms);
  const before = Math.max(0, text.length - 2 * longest - MAX_BLANK_CHARS);
  const end = text.slice(before);
  const flat = flatten(end);
  const onOneLine = beginningAt(end, forms, longest);
  return before + (flat === null ? onOneLine : Math.min(onOneLine, flat.at(beginningAt(flat.text, long, longest))));
}

/**
 * A secret that has begun is not waited for through more blank text than any wrapping writes: what
 * waits is looked through with each piece.
 */
const MAX_BLANK_CHARS = 1024;

const longestOf = (forms: readonly string[]): number => forms.reduce((most, { length }) => Math.max(most, length), 0);

function beginningAt(text: string, forms: readonly string[], longest: number): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    const tail = text.slice(at);
    if (forms.some((form) => form.length > tail.length && form.startsWith(tail))) return at;
  }
  return text.length;
}

function shortIn(text: string, { short }: Spellings): Range[] {
  const found: Range[] = [];
  for (const form of short) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      found.push({ start: at, end: at + form.length });
  }
  return found;
}

function longIn(text: string, { groups }: Spellings): Range[] {
  const found: Range[] = [];
  if (groups.size === 0) return found;
  for (let at = 0; at + GROUP_CHARS <= text.length; at += STRIDE) {
    for (const { needle, offset } of groups.get(hashAt(text, at)) ?? NONE) {
      if (at >= offset && text.startsWith(needle.piece, at - offset)) found.push(widened(text, at - offset, needle));
    }
  }
  return found;
}

const NONE: readonly never[] = [];

/** The piece at a place, and as much of its form around it as is there. */
function widened(text: string, at: number, { piece, form, isEnd }: Needle): Range {
  let [start, end] = [at, at + piece.length];
  if (isEnd)
    while (end - start < form.length && start > 0 && text[start - 1] === form[form.length - (end - start) - 1])
      start -= 1;
  else while (end - start < form.length && end < text.length && text[end] === form[end - start]) end += 1;
  return { start, end };
}

interface Flat {
  readonly text: string;
  /** Place in the original of a character of `text`. */
  at(index: number): number;
}

/** The text without its line breaks; null: it has none. */
function flatten(text: string): Flat | null {
  if (!text.includes('\n') && !text.includes('\\n')) return null;
  const kept: { readonly from: number; readonly removed: number }[] = [];
  let flat = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(BREAKS)) {
    flat += text.slice(from, index);
    from = index + found.length;
    kept.push({ from: flat.length, removed: from - flat.length });
  }
  flat += text.slice(from);
  return {
    text: flat,
    at: (index) => (index >= flat.length ? text.length : index + removedBefore(kept, index)),
  };
}

/** By halves: whoever knows a secret can write a text that holds it on each of its lines. */
function removedBefore(kept: readonly { readonly from: number; readonly removed: number }[], index: number): number {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((kept[middle]?.from ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return kept[low - 1]?.removed ?? 0;
}

function joinRanges(ranges: Range[]): readonly Range[] {
  if (ranges.length === 0) return NONE;
  const joined: Range[] = [];
  for (const range of ranges.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && range.start < last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else joined.push(range);
  }
  return joined;
}
