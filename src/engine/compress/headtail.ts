import type { Json } from '../../domain/json.js';
import { numberOf, type RunSnapshot, ruleSetOf } from '../../domain/snapshot.js';
import { middleGone, middleLeftOut } from '../../prompts/shortened.js';
import { outputText, tokensOf } from '../results.js';
import type { ToolValue } from '../skills/tool-result.js';
import { RETRIEVE } from './ref.js';

/** Shorter texts have no middle worth a call (docs/design/execution.md#compression). */
const MIN_CHARS = 2500;
const HEAD_CHARS = 1500;
const TAIL_CHARS = 1000;

/**
 * The first 1500 and the last 1000 characters of a longer text, with the call that gives the rest;
 * null = the text is too short.
 */
export const headtail = (text: string, ref: string): string | null =>
  text.length <= MIN_CHARS ? null : bothEnds(text, { head: HEAD_CHARS, tail: TAIL_CHARS, ref, isOriginal: true });

/**
 * The beginning and the end of a text that is longer than both, with the call that gives the rest:
 * from the place where it begins, where the text is the original.
 */
export function bothEnds(
  text: string,
  of: { readonly head: number; readonly tail: number; readonly ref: string; readonly isOriginal: boolean },
): string {
  const head = text.slice(0, wholeAt(text, of.head));
  const tail = text.slice(wholeAt(text, text.length - of.tail));
  const missing = text.length - head.length - tail.length;
  const offset = of.isOriginal ? { offset: head.length } : {};
  const note = middleLeftOut({ tool: RETRIEVE, ref: of.ref }, { missing, length: text.length, ...offset });
  return `${head}\n${note}\n${tail}`;
}

/** The place itself, or the one before it where a character of two units would be cut. */
export function wholeAt(text: string, place: number): number {
  const isCut = place > 0 && place < text.length && isHigh(text.charCodeAt(place - 1)) && isLow(text.charCodeAt(place));
  return isCut ? place - 1 : place;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** How long one result may be; `hasRetrieve`: what is left out is to be had. */
export interface ResultLimit {
  readonly unit: 'chars' | 'tokens';
  readonly most: number;
  readonly hasRetrieve: boolean;
}

export function resultLimit(snapshot: RunSnapshot): ResultLimit {
  const hasRetrieve = ruleSetOf(snapshot) >= 4;
  const chars = snapshot.env.KIT_MAX_RESULT_CHARS;
  if (typeof chars === 'number') return { unit: 'chars', most: chars, hasRetrieve };
  // Every run of before has a number frozen with it.
  return hasRetrieve
    ? { unit: 'tokens', most: numberOf(snapshot, 'KIT_MAX_RESULT_TOKENS'), hasRetrieve }
    : { unit: 'chars', most: CHARS_BEFORE, hasRetrieve };
}

const CHARS_BEFORE = 3_000;

/** What of a result enters a conversation; what a compressor took was not cut before rule set 4. */
export function forModel(
  { output, shown }: Pick<ToolValue, 'output' | 'shown'>,
  { limit, ref }: { readonly limit: ResultLimit; readonly ref: string },
): { readonly output: Json; readonly isCut: boolean } {
  if (!limit.hasRetrieve) return { output: shown ?? shorten(output, limit), isCut: false };
  const given = shown ?? output;
  const text = outputText(given);
  const chars = charsWithin(text, limit);
  if (chars >= text.length) return { output: given, isCut: false };
  const [head, tail] = [Math.ceil(chars / 2), Math.floor(chars / 2)];
  return { output: bothEnds(text, { head, tail, ref, isOriginal: shown === undefined }), isCut: true };
}

function charsWithin(text: string, { unit, most }: ResultLimit): number {
  if (unit === 'chars') return most;
  const tokens = tokensOf(text);
  return tokens <= most ? text.length : Math.floor((text.length * most) / tokens);
}

/**
 * The first and the last half of a long text (KIT_MAX_RESULT_TOKENS, KIT_MAX_RESULT_CHARS); the
 * journal keeps all of it.
 */
export function shorten(output: Json, limit: ResultLimit): Json {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const maxChars = charsWithin(text, limit);
  if (text.length <= maxChars) return output;
  const half = Math.floor(maxChars / 2);
  // Halves of a character outside the basic plane would not be text.
  const [start, end] = [text.slice(0, half).toWellFormed(), text.slice(-half).toWellFormed()];
  return `${start}\n${middleGone(text.length)}\n${end}`;
}
