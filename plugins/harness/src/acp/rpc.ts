import { isObject, type JsonObject } from '@kit-run/kit/plugin';
import { parseLine } from '../interpret/line.js';

/** What the other side answered to a request of ours. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly code: number; readonly message: string };

/** A message that is not an answer; `id` null: it expects none. */
export interface Incoming {
  readonly method: string;
  readonly params: JsonObject;
  readonly id: string | number | null;
}

const METHOD_NOT_FOUND = -32_601;
/** Characters of an error that are kept. */
const MAX_ERROR_CHARS = 2000;

/** JSON-RPC 2.0, a message a line, over the streams of a child. */
export class RpcLines {
  readonly #pending = new Map<number, (answer: RpcAnswer) => void>();
  readonly #queue: string[] = [];
  #wake: () => void = () => {};
  #isClosed = false;
  #nextId = 0;

  /** Lines for the child's stdin; ends once `close` was called and all is written. */
  async *outgoing(): AsyncGenerator<string> {
    for (;;) {
      const line = this.#queue.shift();
      if (line !== undefined) yield line;
      else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** Asks the other side; resolves when it answers, or when it is gone. */
  request(method: string, params: JsonObject): Promise<RpcAnswer> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  answer(id: string | number, result: JsonObject): void {
    this.#send({ id, result });
  }

  /** For a request that nothing here serves. */
  refuse(id: string | number, method: string): void {
    this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `${method.slice(0, 100)} is not offered` } });
  }

  /** Nothing more is written, and stdin is closed. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The other side is gone: nothing that waits for it will be answered. */
  end(): void {
    for (const resolve of this.#pending.values()) resolve({ ok: false, code: 0, message: GONE });
    this.#pending.clear();
    this.close();
  }

  /** Takes one line: an answer goes to who waits for it, the rest is returned. Null: noise. */
  take(line: string): Incoming | 'answer' | null {
    const message = parseLine(line);
    if (!isObject(message)) return null;
    const { id, method, params } = message;
    const isId = typeof id === 'string' || typeof id === 'number';
    if (typeof method === 'string') return { method, params: isObject(params) ? params : {}, id: isId ? id : null };
    if (typeof id !== 'number') return null;
    const resolve = this.#pending.get(id);
    if (resolve === undefined) return null;
    this.#pending.delete(id);
    resolve(answerOf(message));
    return 'answer';
  }

  #send(message: JsonObject): void {
    if (this.#isClosed) return;
    this.#queue.push(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    this.#wake();
  }
}

/** Message of an answer that will never come. */
export const GONE = 'the program ended without an answer';

function answerOf({ result, error }: JsonObject): RpcAnswer {
  if (error === undefined || error === null) return { ok: true, result: isObject(result) ? result : {} };
  const { code, message, data } = isObject(error) ? error : { code: 0, message: 'an error', data: null };
  const details = isObject(data) && typeof data.details === 'string' ? `: ${data.details}` : '';
  return {
    ok: false,
    code: typeof code === 'number' ? code : 0,
    message: `${typeof message === 'string' ? message : 'an error'}${details}`.slice(0, MAX_ERROR_CHARS),
  };
}
