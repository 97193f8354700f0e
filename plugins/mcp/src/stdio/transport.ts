import { type Clock, HurriedAbort, type Log, type ProcessResult, type SupervisedProcess } from '@kit-run/kit/plugin';
import { type JSONRPCMessage, SdkError, SdkErrorCode, serializeMessage, type Transport } from '../sdk/parts.js';
import { LATE, within } from '../within.js';
import { createOutbox, type Outbox } from './outbox.js';
import { readLine } from './read-line.js';

export interface StdioTransportParts {
  /** Starts the server; `stop` ends it. */
  readonly start: (stdin: AsyncIterable<string>, stop: AbortSignal) => SupervisedProcess;
  readonly clock: Clock;
  readonly log: Log;
  readonly server: string;
  /** Longest line that is parsed, in characters. */
  readonly maxChars: () => number;
}

/** How the process ended, or why it could not be started. */
export type ProcessEnd =
  | { readonly ok: true; readonly result: ProcessResult }
  | { readonly ok: false; readonly error: unknown };

/**
 * From the end of its stdin until a server is asked to end: what the protocol gives it to leave by
 * itself.
 */
const LEAVE_MS = 2_000;

/**
 * The client's side of stdio over a process that kit supervises. The one of the SDK starts a
 * process of its own, which nobody would end with the lease of the run.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #parts: StdioTransportParts;
  readonly #outbox: Outbox = createOutbox();
  readonly #stop = new AbortController();
  #ended: Promise<ProcessEnd> | null = null;
  #hasNoise = false;
  #isClosed = false;

  constructor(parts: StdioTransportParts) {
    this.#parts = parts;
  }

  /** Settles when no process is left; null before the start. Never rejects. */
  get ended(): Promise<ProcessEnd> | null {
    return this.#ended;
  }

  async start(): Promise<void> {
    const child = this.#parts.start(this.#outbox, this.#stop.signal);
    this.#ended = child.done.then(
      (result): ProcessEnd => ({ ok: true, result }),
      (error: unknown): ProcessEnd => ({ ok: false, error }),
    );
    void this.#read(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed && this.#outbox.push(serializeMessage(message))) return;
    // It takes nothing any more: whatever it says from now on, nobody can answer it.
    this.#stop.abort(new HurriedAbort());
    throw new SdkError(SdkErrorCode.NotConnected, 'the server has ended');
  }

  /** Ends stdin, then the process; nothing of it is left when this resolves. */
  async close(): Promise<void> {
    this.#outbox.end();
    if (this.#ended !== null) {
      if ((await within(this.#parts.clock, LEAVE_MS, this.#ended)) === LATE) this.#stop.abort(new HurriedAbort());
      await this.#ended;
    }
    this.#closed();
  }

  async #read(child: SupervisedProcess): Promise<void> {
    for await (const line of child.lines) this.#take(line);
    // It has closed its stdout: no answer can come any more, whether or not it goes on.
    this.#outbox.end();
    this.#closed();
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    const reading = readLine(line, this.#parts.maxChars());
    if (reading.kind === 'message') this.onmessage?.(reading.message);
    else if (!this.#hasNoise) {
      this.#hasNoise = true;
      this.#parts.log.warn('an MCP server writes on stdout what is not a message; it is skipped', {
        server: this.#parts.server,
      });
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
