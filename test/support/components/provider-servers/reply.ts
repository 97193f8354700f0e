import type { RecordedRequest, ScriptedAnswer } from './protocol.js';

/**
 * What the server does with one request. `answer` and the faults work for streamed and whole
 * answers alike.
 */
export type Reply =
  /** A good answer; `calls` may name unknown tools and hold arguments that are not JSON. */
  | ({ readonly do: 'answer' } & ScriptedAnswer)
  /** An HTTP status with the usual error body: 401, 400, 429 (with `retryAfter`), 500, 503, 529. */
  | {
      readonly do: 'status';
      readonly status: number;
      readonly message?: string;
      /** In the body; default: the status. */
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and never says a word; ends when the client or the test closes. */
  | { readonly do: 'silence' }
  /** Takes the request, and gives `reply` once the test lets it. */
  | { readonly do: 'hold'; readonly until: Promise<unknown>; readonly reply: Reply }
  /** A good answer, one piece at a time: before each but the first `between` is waited for. */
  | ({ readonly do: 'drip'; readonly between: () => Promise<unknown> } & ScriptedAnswer)
  /** Says `text` and then nothing more, with the connection open. */
  | { readonly do: 'stall'; readonly text: string }
  /**
   * Breaks the answer off after `text`: `reset` kills the connection, `end` closes it in good
   * order.
   */
  | { readonly do: 'cut'; readonly text: string; readonly how: 'reset' | 'end' }
  /** An answer, or a chunk after `text`, that is not JSON. */
  | { readonly do: 'malformed'; readonly text?: string }
  /**
   * A stream that begins with `text` and then carries an error object. Not streamed: the status
   * alone.
   */
  | { readonly do: 'stream-error'; readonly text: string; readonly code: number | string; readonly message: string };

export type ReplyOf = Reply | ((request: RecordedRequest) => Reply);
