/** What is still to be written to a child: a queue that one reader pulls from. */
export interface Outbox extends AsyncIterable<string> {
  /** False when nobody takes anything any more. */
  push(text: string): boolean;
  /** Nothing more comes: the child sees the end of its stdin. */
  end(): void;
}

export function createOutbox(): Outbox {
  const waiting: string[] = [];
  let isOver = false;
  let wake: () => void = () => {};

  const finish = (): void => {
    isOver = true;
    wake();
  };

  const next = async (): Promise<IteratorResult<string, undefined>> => {
    for (;;) {
      const text = waiting.shift();
      if (text !== undefined) return { done: false, value: text };
      if (isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  return {
    push: (text) => {
      if (isOver) return false;
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
