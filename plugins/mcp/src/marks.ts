/**
 * `data` of error answers that the client makes itself, for a request that will get no answer of
 * its own. Compared by identity: no server can send one.
 */
export const MARKS = {
  tooLarge: Object.freeze({ mark: 'too large' }),
  malformed: Object.freeze({ mark: 'malformed' }),
  lost: Object.freeze({ mark: 'lost' }),
} as const;

export type Mark = keyof typeof MARKS;

export const markOf = (data: unknown): Mark | null =>
  data === MARKS.tooLarge ? 'tooLarge' : data === MARKS.malformed ? 'malformed' : data === MARKS.lost ? 'lost' : null;

/** The error answer for one request. -32603 = internal error (JSON-RPC 2.0, section 5.1). */
export const markedAnswer = (id: number, mark: Mark) =>
  ({ jsonrpc: '2.0', id, error: { code: -32_603, message: MARKS[mark].mark, data: MARKS[mark] } }) as const;
