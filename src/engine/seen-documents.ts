import type { ModelMessage } from '../domain/ports/model.js';

/** Whether one of the first `upTo` messages held a document; `last` is the newest of them. */
export interface SeenDocuments {
  readonly areThere: boolean;
  readonly upTo: number;
  readonly last: ModelMessage | undefined;
}

export const NONE_SEEN: SeenDocuments = { areThere: false, upTo: 0, last: undefined };

/**
 * Looks at the messages that were added since: each once, however often a conversation is sent. One
 * that was made shorter gained no document by it, and where it lost its only one nothing is amiss.
 */
export function seenIn(messages: readonly ModelMessage[], before: SeenDocuments): SeenDocuments {
  const { areThere, upTo } = before.last === messages[before.upTo - 1] ? before : NONE_SEEN;
  return {
    areThere: areThere || holdsDocument(messages, upTo),
    upTo: messages.length,
    last: messages.at(-1),
  };
}

/** No closure for each message. */
export function holdsDocument(messages: readonly ModelMessage[], from = 0): boolean {
  for (let place = from; place < messages.length; place += 1)
    for (const part of messages[place]?.parts ?? []) if (part.type === 'document') return true;
  return false;
}
