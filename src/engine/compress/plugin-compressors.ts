import { messageOf } from '../../domain/errors.js';
import type { Compressor } from '../../domain/ports/compressor.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import { inTime } from '../in-time.js';
import { ABORTED } from '../race-abort.js';
import { Unfinished } from '../unfinished.js';
import type { ToolPlace } from './rule-for.js';

/** What a plugin may take for one text. */
const COMPRESS_TIMEOUT_MS = 10_000;

/** Of `RunServices`. */
interface Parts {
  readonly compressor: (nameOrId: string) => Promise<Compressor>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly jobId: string;
}

/**
 * Compressors that plugins bring, for one pass over a journal. One that fails costs nothing but its
 * shortening, and is logged once.
 */
export class PluginCompressors {
  readonly #parts: Parts;
  readonly #failed = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The shorter text; `declined` = the plugin leaves it as it is. Throws only when the scope of the
   * run ends.
   */
  async compress(
    name: string,
    text: string,
    of: ToolPlace,
  ): Promise<{ readonly text: string } | 'declined' | 'failed'> {
    try {
      const answer: unknown = await this.#ask(name, text, of);
      if (answer === null) return 'declined';
      if (typeof answer === 'string') return { text: answer };
      throw new Error(
        `it answered ${answer === undefined ? 'nothing' : `a value of type ${typeof answer}`}, not a text or null`,
      );
    } catch (error) {
      if (error instanceof Unfinished) throw error;
      this.#warn(name, error);
      return 'failed';
    }
  }

  async #ask(name: string, text: string, of: ToolPlace): Promise<unknown> {
    const late = () => new Error(`it has not answered after ${COMPRESS_TIMEOUT_MS} ms`);
    const asked = async (): Promise<unknown> => (await this.#parts.compressor(name)).compress(text, of);
    const answer = await inTime(this.#parts, { ms: COMPRESS_TIMEOUT_MS, late }, asked);
    if (answer === ABORTED) throw this.#parts.signal.aborted ? new Unfinished('abort') : late();
    return answer;
  }

  #warn(name: string, error: unknown): void {
    if (this.#failed.has(name)) return;
    this.#failed.add(name);
    this.#parts.log.warn(
      `the compressor ${name} failed in run ${this.#parts.jobId}, results stay as they are: ${messageOf(error)}`,
    );
  }
}
