import type { Readable, Writable } from 'node:stream';
import { isDeepMessage } from './is-deeper.js';
import { isObject } from './json.js';

/** An error of JSON-RPC 2.0 that answers a line. */
interface LineError {
  /** Of the message, where it could be read; null = it could not. */
  readonly id: string | number | null;
  readonly code: -32_700 | -32_600;
  readonly message: string;
}

export interface MessageLinesOptions<Message> {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line is answered and dropped; what follows it is read on. */
  readonly maxBytes: number;
  /** The message that a value is; throws for one that is none. */
  readonly read: (value: unknown) => Message;
  /** Told of each line that was answered with an error, in the words of the answer. */
  readonly onRefused: (why: string) => void;
}

const NEWLINE = 0x0a;
const MIB = 1024 * 1024;

/**
 * The server's side of JSON-RPC over two streams, a message a line: what the library of MCP calls a
 * transport. Its own answers nothing to a line that it does not understand, for which a client
 * would wait for ever, and ends the connection at a line that is too long. Here each line that is
 * no message is answered with an error, and what follows it is read on. Blank lines are left out.
 * The end of the input closes it.
 */
export class MessageLines<Message> {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  #parts: Buffer[] = [];
  #size = 0;
  /** The rest of a line that was answered already. */
  #isSkipping = false;
  #isClosed = false;
  readonly #options: MessageLinesOptions<Message>;

  constructor(options: MessageLinesOptions<Message>) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    // Nobody listens any more: what could not be written is told once, and never thrown.
    output.on('error', this.#fail);
    input.on('error', this.#fail);
    input.on('end', this.#end).on('close', this.#end).on('data', this.#take);
    // Who handed the input over may have read its first line, and paused it there.
    input.resume();
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
  }

  async send(message: Message): Promise<void> {
    if (this.#isClosed) throw new Error('the connection is closed');
    await this.#write(message);
  }

  /** Lets go of the input; what was being written still goes out. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.input.off('data', this.#take).off('end', this.#end).off('close', this.#end).pause();
    this.#parts = [];
    this.onclose?.();
  }

  #write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#options.output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
  }

  #fail = (error: Error): void => {
    if (this.#isClosed) return;
    this.onerror?.(error);
    void this.close();
  };

  #end = (): void => {
    if (this.#isClosed) return;
    this.#endLine();
    void this.close();
  };

  #take = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  };

  #add(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return;
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= this.#options.maxBytes) return;
    this.#isSkipping = true;
    this.#parts = [];
    const most = `${this.#options.maxBytes / MIB} MiB`;
    this.#refuse(invalid(null, `the message is larger than the ${most} that one may have; name files by their path`));
  }

  #endLine(): void {
    const text = this.#isSkipping ? '' : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (this.#isClosed || text.trim() === '') return;
    const line = readLine(text, this.#options.read);
    if (line.ok) this.onmessage?.(line.message);
    else this.#refuse(line.error);
  }

  #refuse({ id, code, message }: LineError): void {
    // Who is gone waits for no answer.
    this.#write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined);
    this.#options.onRefused(message);
  }
}

type Line<Message> =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly error: LineError };

function readLine<Message>(text: string, read: (value: unknown) => Message): Line<Message> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, error: NO_JSON };
  }
  const error = errorOf(value);
  if (error !== null) return { ok: false, error };
  try {
    return { ok: true, message: read(value) };
  } catch {
    const { id } = value as { readonly id?: unknown };
    return {
      ok: false,
      error: invalid(isId(id) ? id : null, 'a member of the message has a form that MCP does not know'),
    };
  }
}

const NO_JSON: LineError = {
  ...{ id: null, code: -32_700 },
  message: 'Parse error: the line is not JSON; a message is one line of it',
};

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isInteger(id);

/** What a line is answered with whose value is not a message; null = it looks like one. */
function errorOf(value: unknown): LineError | null {
  if (!isObject(value)) return invalid(null, 'a message is one object of JSON-RPC 2.0');
  const { id, jsonrpc, method, params = {} } = value;
  const shown = isId(id) ? id : null;
  if (isDeepMessage(value)) return invalid(shown, 'the message is nested deeper than any that is meant');
  if (jsonrpc !== '2.0') return invalid(shown, '`jsonrpc` must be "2.0"');
  // An answer to what this server asked, which has no method.
  if (method === undefined && (value.result !== undefined || value.error !== undefined)) return null;
  if (typeof method !== 'string') return invalid(shown, '`method` must be text');
  if (id !== undefined && !isId(id)) return invalid(null, '`id` must be text or a whole number');
  return isObject(params) ? null : invalid(shown, '`params` must be an object');
}

const invalid = (id: LineError['id'], why: string): LineError => ({
  id,
  code: -32_600,
  message: `Invalid Request: ${why}`,
});
