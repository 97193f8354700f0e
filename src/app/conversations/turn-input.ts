import type { ConversationTurn } from '../../domain/ports/serving.js';

/** Earlier turns that a run is told of, and how much of them: older ones are left out first. */
export const HISTORY = { maxTurns: 20, maxChars: 32_000, maxCharsPerText: 4_000 } as const;

function cut(text: string): string {
  return text.length <= HISTORY.maxCharsPerText ? text : `${text.slice(0, HISTORY.maxCharsPerText)} [...]`;
}

/**
 * What a turn's run is asked: the message alone at first, later the talk so far and then the
 * message (docs/conversations.md). Turns without an answer were never finished and are left out.
 */
export function turnInput(turns: readonly Pick<ConversationTurn, 'message' | 'answer'>[], message: string): string {
  const told: string[] = [];
  let chars = 0;
  const answered = turns.flatMap((turn) =>
    turn.answer === null ? [] : [`Human: ${cut(turn.message)}\nSwarm: ${cut(turn.answer)}`],
  );
  for (const text of answered.slice(-HISTORY.maxTurns).reverse()) {
    chars += text.length;
    if (chars > HISTORY.maxChars) break;
    told.unshift(text);
  }
  return told.length === 0 ? message : `The conversation so far:\n\n${told.join('\n\n')}\n\nHuman: ${message}`;
}
