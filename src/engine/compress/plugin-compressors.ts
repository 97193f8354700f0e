import type { Compressor } from '../../domain/ports/compressor.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import { ABORTED, raceAbort } from '../race-abort.js';
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
    const { signal, clock } = this.#parts;
    const over = new AbortController();
    const asked = (async () => (await this.#parts.compressor(name)).compress(text, of))();
    const late = clock.sleep(COMPRESS_TIMEOUT_MS, over.signal).then(
      () => LATE,
      () => LATE,
    );
    try {
      const answer = await raceAbort(Promise.race([asked, late]), signal);
      if (answer === ABORTED) throw new Unfinished('abort');
      if (answer === LATE) throw new Error(`it has not answered after ${COMPRESS_TIMEOUT_MS} ms`);
      return answer;
    } finally {
      over.abort('answered');
      // One that fails after its time is over fails for nobody.
      asked.catch(() => undefined);
    }
  }

  #warn(name: string, error: unknown): void {
    if (this.#failed.has(name)) return;
    this.#failed.add(name);
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log.warn(
      `the compressor ${name} failed in run ${this.#parts.jobId}, results stay as they are: ${message}`,
    );
  }
}

const LATE = Symbol('late');
