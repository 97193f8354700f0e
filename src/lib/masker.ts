import { MIN_SECRET_CHARS, secretForms } from './secret-forms.js';
import { type Range, type Spellings, secretRanges, spellingsOf, unfinishedAt } from './secret-ranges.js';

/** What stands where a secret stood. */
export const MASK = '[MASKED]';

export type MaskResult = 'added' | 'known' | 'too_short';

/** Masks a stream of text pieces: a secret that is cut between two of them is found. */
export interface StreamMasker {
  /**
   * Text that is safe to show now; '' while the end of what arrived may be the beginning of a
   * secret.
   */
  push(piece: string): string;
  /** What was held back. Call once at the end. */
  end(): string;
}

/**
 * Replaces resolved secrets wherever kit writes text (docs/design/journal.md#masking). One per run,
 * filled while credentials resolve: a value masks what is written after it was added. Holds the
 * values: never log or serialise one. What it finds: `secretForms`, whole, cut in half or wrapped
 * over lines (`secretRanges`). What it cannot: docs/security.md.
 */
export class Masker {
  readonly #values = new Set<string>();
  #forms: readonly string[] = [];
  /** Made when a text is searched, not for each value: credentials resolve one after another. */
  #made: Spellings | null = null;
  readonly #mark: string;

  /** `mark` stands where a secret stood; it must not contain one. */
  constructor(values: Iterable<string> = [], mark: string = MASK) {
    this.#mark = mark;
    for (const value of values) this.add(value);
  }

  /**
   * `too_short`: under 4 characters a value is not masked; the caller warns that it can appear in
   * the clear.
   */
  add(value: string): MaskResult {
    if (value.trim().length < MIN_SECRET_CHARS) return 'too_short';
    if (this.#values.has(value)) return 'known';
    this.#values.add(value);
    this.#forms = [...new Set([...this.#forms, ...secretForms(value)])];
    this.#made = null;
    return 'added';
  }

  /** One that starts with what this one knows: how secrets are spelled is made once for both. */
  fork(): Masker {
    const own = new Masker([], this.#mark);
    for (const value of this.#values) own.#values.add(value);
    own.#forms = this.#forms;
    own.#made = this.#spellings;
    return own;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** How many values it knows: what was masked while there were fewer may hold one of them. */
  get size(): number {
    return this.#values.size;
  }

  /**
   * Text of one line or one value. Overlapping secrets become one mask, so that no end of either
   * shows.
   */
  mask(text: string): string {
    return replaceAll(text, this.#ranges(text), this.#mark);
  }

  /**
   * Every string of a JSON value, member names included; a number that spells a secret becomes the
   * mask.
   */
  maskJson<T>(value: T): T {
    if (this.isEmpty) return value;
    return this.#deep(value) as T;
  }

  /**
   * For text that arrives in pieces (streamed answers). Lines that arrive whole need only `mask`.
   */
  stream(): StreamMasker {
    let held = '';
    return {
      push: (piece) => {
        // Nothing is held back while there is nothing to find: forms are added, never taken away.
        if (this.isEmpty) return piece;
        held += piece;
        const safe = this.#safeLength(held);
        const ready = this.mask(held.slice(0, safe));
        held = held.slice(safe);
        return ready;
      },
      end: () => {
        const rest = this.mask(held);
        held = '';
        return rest;
      },
    };
  }

  /** A masker must never be printed by accident. */
  toJSON(): string {
    return MASK;
  }

  /**
   * Copies what it changes, and nothing else: most values hold no secret. Each member is looked at
   * once, however deep it lies.
   */
  #deep(value: unknown): unknown {
    if (typeof value === 'string') return this.mask(value);
    if (typeof value === 'number') return this.#values.has(String(value)) ? this.#mark : value;
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#items(value) : this.#members(value);
  }

  #items(items: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | null = null;
    for (let place = 0; place < items.length; place += 1) {
      const masked = this.#deep(items[place]);
      if (copy === null && Object.is(masked, items[place])) continue;
      copy ??= items.slice(0, place);
      copy.push(masked);
    }
    return copy ?? items;
  }

  #members(value: object): object {
    // An object that came out of JSON, or is to become some.
    const members = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(members);
    let copy: [string, unknown][] | null = null;
    let place = 0;
    for (const name of names) {
      const member = members[name];
      const shown = this.mask(name);
      const masked = this.#deep(member);
      if (copy !== null || shown !== name || !Object.is(masked, member)) {
        copy ??= names.slice(0, place).map((one) => [one, members[one]]);
        copy.push([shown, masked]);
      }
      place += 1;
    }
    return copy === null ? value : Object.fromEntries(copy);
  }

  get #spellings(): Spellings {
    this.#made ??= spellingsOf(this.#forms);
    return this.#made;
  }

  #ranges(text: string): readonly Range[] {
    return this.isEmpty ? [] : secretRanges(text, this.#spellings);
  }

  /**
   * Nothing from the first place on where a secret may still be arriving; never a cut through one
   * that has arrived.
   */
  #safeLength(text: string): number {
    const safe = unfinishedAt(text, this.#spellings);
    const cut = this.#ranges(text).find((range) => range.start < safe && safe < range.end);
    return cut === undefined ? safe : cut.start;
  }
}

function replaceAll(text: string, ranges: readonly Range[], mark: string): string {
  if (ranges.length === 0) return text;
  let out = '';
  let from = 0;
  for (const range of ranges) {
    out += text.slice(from, range.start) + mark;
    from = range.end;
  }
  return out + text.slice(from);
}
