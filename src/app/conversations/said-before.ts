import type { EarlierTurn } from '../../domain/earlier-turn.js';
import type { ConversationTurn } from '../../domain/ports/serving.js';
import { turnCutOff } from '../../prompts/turns.js';

/**
 * How much of the earlier turns a run is told of, in characters. Once they are longer than
 * `maxChars`
 * the oldest are left out, down to `keptChars`: the beginning of a conversation changes once in
 * many turns, and a provider that keeps beginnings in a cache knows it meanwhile.
 */
export const SAID = { maxChars: 64_000, keptChars: 32_000, maxCharsPerText: 16_000 } as const;

/** Of each turn beside its texts: many short ones are as long as a few. */
const TURN_CHARS = 100;

/**
 * What a turn's run is told of the turns before it (docs/conversations.md), oldest first. Turns
 * without an answer were never finished, and are left out.
 */
export function saidBefore(turns: readonly Pick<ConversationTurn, 'message' | 'answer'>[]): readonly EarlierTurn[] {
  const answered = turns.flatMap(({ message, answer }) =>
    answer === null || answer.trim() === '' ? [] : [{ message: cut(message), answer: cut(answer) }],
  );
  let [first, chars] = [0, 0];
  for (const [at, turn] of answered.entries()) {
    chars += charsOf(turn);
    if (chars <= SAID.maxChars) continue;
    for (; first < at && chars > SAID.keptChars; first += 1) chars -= charsOf(answered[first]);
  }
  return answered.slice(first);
}

const charsOf = (turn: EarlierTurn | undefined): number =>
  turn === undefined ? 0 : turn.message.length + turn.answer.length + TURN_CHARS;

function cut(text: string): string {
  if (text.length <= SAID.maxCharsPerText) return text;
  return `${text.slice(0, SAID.maxCharsPerText).toWellFormed()}${turnCutOff(text.length)}`;
}
