import { Transform, type TransformCallback } from 'node:stream';
import { isObject, type Json } from '@kit-run/kit/plugin';
import { isTooDeep } from '../../shared/is-too-deep.js';

/** An error of JSON-RPC 2.0 that answers a line. */
export interface LineError {
  /** Of the message, where it could be read; null = it could not. */
  readonly id: string | number | null;
  readonly code: -32_700 | -32_600;
  readonly message: string;
}

export interface LineOptions {
  /** A longer line is answered and dropped; what follows it is read on. */
  readonly maxBytes: number;
  readonly refuse: (error: LineError) => void;
}

const NEWLINE = 0x0a;
const MIB = 1024 * 1024;

/**
 * What a client sends, a whole line a chunk. The library reads on behind a line that it does not
 * understand and answers nothing, for which a client would wait for ever; and it copies all it has
 * with each chunk, which a long line has a thousand of. Blank lines are left out.
 */
export class MessageLines extends Transform {
  #parts: Buffer[] = [];
  #size = 0;
  /** The rest of a line that was answered already. */
  #isSkipping = false;
  readonly #options: LineOptions;

  constructor(options: LineOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endLine();
    done();
  }

  #add(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return;
    this.#size += part.length;
    this.#parts.push(part);
    if (this.#size <= this.#options.maxBytes) return;
    this.#isSkipping = true;
    this.#parts = [];
    const most = `${this.#options.maxBytes / MIB} MiB`;
    this.#options.refuse({
      ...{ id: null, code: -32_600 },
      message: `Invalid Request: the message is larger than the ${most} that one may have; attach files by their path`,
    });
  }

  #endLine(): void {
    const line = this.#isSkipping ? null : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (line === null) return;
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    const error = errorOf(text);
    if (error === null) this.push(Buffer.concat([line, Buffer.from('\n')]));
    else this.#options.refuse(error);
  }
}

/** What a line is answered with that is no message; null = it is one. */
export function errorOf(line: string): LineError | null {
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch {
    return { id: null, code: -32_700, message: 'Parse error: the line is not JSON; a message is one line of it' };
  }
  if (!isObject(value)) return invalid(null, 'a message is one object of JSON-RPC 2.0');
  const { id = null, jsonrpc, method, params = {} } = value;
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
  const shown = isId ? id : null;
  if (isTooDeep(value)) return invalid(shown, 'the message is nested deeper than any that is meant');
  if (jsonrpc !== '2.0') return invalid(shown, '`jsonrpc` must be "2.0"');
  // An answer to what this server asked, which has no method.
  if (method === undefined && (value.result !== undefined || value.error !== undefined)) return null;
  if (typeof method !== 'string') return invalid(shown, '`method` must be text');
  if (value.id !== undefined && !isId) return invalid(null, '`id` must be text or a whole number');
  return isObject(params) ? null : invalid(shown, '`params` must be an object');
}

const invalid = (id: LineError['id'], why: string): LineError => ({
  id,
  code: -32_600,
  message: `Invalid Request: ${why}`,
});
