/** What is still to be written to a child: a queue that one reader pulls from. */
export interface Outbox extends AsyncIterable<string> {
  /**
   * False when nobody takes anything any more, or so little that no more can be held: then it is
   * over.
   */
  push(text: string): boolean;
  /** Nothing more comes: the child sees the end of its stdin. */
  end(): void;
}

/**
 * A server may ask faster than it reads what it is answered. One message, however long, is always
 * taken.
 */
const MAX_WAITING_CHARS = 16 * 1024 * 1024;
/** What holding one message costs beside its text. */
const MESSAGE_CHARS = 128;

export function createOutbox(): Outbox {
  const waiting: string[] = [];
  let waitingChars = 0;
  let isOver = false;
  let wake: () => void = () => {};

  const finish = (): void => {
    isOver = true;
    wake();
  };

  const next = async (): Promise<IteratorResult<string, undefined>> => {
    for (;;) {
      const text = waiting.shift();
      if (text !== undefined) {
        waitingChars -= text.length + MESSAGE_CHARS;
        return { done: false, value: text };
      }
      if (isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  return {
    push: (text) => {
      if (isOver) return false;
      if (waiting.length > 0 && waitingChars + text.length > MAX_WAITING_CHARS) {
        waiting.length = 0;
        finish();
        return false;
      }
      waitingChars += text.length + MESSAGE_CHARS;
      waiting.push(text);
      wake();
      return true;
    },
    end: finish,
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        finish();
        waiting.length = 0;
        return { done: true, value: undefined };
      },
    }),
  };
}
