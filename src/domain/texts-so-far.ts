/**
 * A view of texts that only grow in number: the first, which is always kept, and behind it the
 * newest. It stays as it is while more are added.
 */
export interface TextsSoFar {
  /** The text in place 0; null: there is none yet. */
  readonly first: string | null;
  /** Texts from the place `start` on; more may be added behind those that this view counts. */
  readonly rest: readonly string[];
  readonly start: number;
  /** Place of the oldest text that is kept beside the first. */
  readonly from: number;
  /** How many texts there were, kept or not. */
  readonly count: number;
}

/** The texts that are kept, in their order. */
export const keptTexts = ({ first, rest, start, from, count }: TextsSoFar): readonly string[] =>
  first === null ? [] : [first, ...rest.slice(from - start, count - start)];

/** How many lie between the first and those that are kept. */
export const leftOut = ({ from, count }: TextsSoFar): number => (count === 0 ? 0 : from - 1);

/** Those from `place` on; null where one of them is no longer kept, or the first is among them. */
export const textsSince = ({ rest, start, from, count }: TextsSoFar, place: number): readonly string[] | null =>
  place < from ? null : rest.slice(place - start, count - start);

/** What is to be taken in, by its place: nothing is made of what is not kept. */
export interface TextsToTake {
  readonly count: number;
  /** Place of the oldest text that there still is beside the first; default: none is gone. */
  readonly from?: number;
  readonly textAt: (place: number) => string;
}

/**
 * Characters of the messages of one call that are kept; of more than that the newest stay, and the
 * first, which says who the agent is.
 */
export const MAX_PROMPT_CHARS = 131_072;

/**
 * Texts as they are added, each kept once: the first, and of the others the newest that fit into
 * `maxChars` with it, at least one.
 */
export class NewestTexts {
  #first: string | null = null;
  #rest: string[] = [];
  #start = 1;
  #from = 1;
  #count = 0;
  #charsLeft: number;
  #taken = 0;

  constructor(maxChars: number, { count, from = 1, textAt }: TextsToTake) {
    this.#charsLeft = maxChars;
    if (count === 0) return;
    this.add(textAt(0));
    let left = this.#charsLeft;
    const newest: string[] = [];
    for (let place = count - 1; place >= from; place -= 1) {
      const text = textAt(place);
      left -= text.length;
      if (left < 0 && newest.length > 0) break;
      newest.push(text);
    }
    this.#skipTo(count - newest.length);
    for (const text of newest.reverse()) this.add(text);
  }

  get count(): number {
    return this.#count;
  }

  /** Characters of all that was added. */
  get taken(): number {
    return this.#taken;
  }

  add(text: string): void {
    this.#count += 1;
    this.#taken += text.length;
    this.#charsLeft -= text.length;
    if (this.#first === null) this.#first = text;
    else this.#rest.push(text);
    while (this.#charsLeft < 0 && this.#from < this.#count - 1) {
      this.#charsLeft += this.#rest[this.#from - this.#start]?.length ?? 0;
      this.#from += 1;
    }
    // Views hold the list as they found it: what is not kept goes with them.
    if (this.#from - this.#start > this.#count - this.#from) this.#drop();
  }

  soFar(): TextsSoFar {
    return { first: this.#first, rest: this.#rest, start: this.#start, from: this.#from, count: this.#count };
  }

  #drop(): void {
    this.#rest = this.#rest.slice(this.#from - this.#start);
    this.#start = this.#from;
  }

  #skipTo(place: number): void {
    this.#start = place;
    this.#from = place;
    this.#count = place;
  }
}
