import type { ModelCallOptions } from '../domain/ports/model.js';
import { numberOf, type RunSnapshot } from '../domain/snapshot.js';

/** How long a call of a model may take, in milliseconds; null = as long as the whole of it. */
export interface CallTimes {
  readonly wholeMs: number;
  /** From the request to the first piece of an answer that is streamed. */
  readonly firstByteMs: number | null;
  /** Between two pieces. */
  readonly silenceMs: number | null;
}

/**
 * The times of a run, frozen with it. One frozen before streams had times of their own has the
 * whole alone.
 */
export function callTimesOf(snapshot: RunSnapshot): CallTimes {
  const msOf = (name: string): number | null => {
    const seconds = snapshot.env[name];
    return typeof seconds === 'number' ? 1000 * seconds : null;
  };
  return {
    wholeMs: 1000 * numberOf(snapshot, 'KIT_MODEL_TIMEOUT'),
    firstByteMs: msOf('KIT_MODEL_FIRST_BYTE_S'),
    silenceMs: msOf('KIT_MODEL_SILENCE_S'),
  };
}

/** When a call is over, and what is said of it then. */
interface Due {
  readonly atMs: number;
  readonly message: string;
}

/** What was heard of one call so far. */
export class CallSigns {
  #heard: 'nothing' | 'sent' | 'piece' = 'nothing';
  #chars = 0;

  /** The last sign; `nothing` also where the provider gives none. */
  get heard(): 'nothing' | 'sent' | 'piece' {
    return this.#heard;
  }

  /** Characters of the answer that were streamed. */
  get chars(): number {
    return this.#chars;
  }

  sign(sign: 'sent' | 'piece'): void {
    this.#heard = sign;
  }

  text(text: string): void {
    this.#chars += text.length;
  }

  /** The same options, for a provider that is listened to. */
  listening(options: ModelCallOptions): ModelCallOptions {
    return {
      ...options,
      onText: (text) => {
        this.text(text);
        options.onText?.(text);
      },
      onSign: (sign) => {
        this.sign(sign);
        options.onSign?.(sign);
      },
    };
  }
}

/**
 * What was heard of one call so far, and when it is over for want of more: a stream is given up for
 * its silence and not for its length.
 */
export class CallProgress extends CallSigns {
  readonly #times: CallTimes;
  readonly #now: () => number;
  #startedAtMs: number;
  #heardAtMs: number;

  constructor(times: CallTimes, now: () => number) {
    super();
    this.#times = times;
    this.#now = now;
    this.#startedAtMs = now();
    this.#heardAtMs = this.#startedAtMs;
  }

  /** The call is sent now: what it waited for before is not time of it. */
  begin(): void {
    this.#startedAtMs = this.#now();
    this.#heardAtMs = this.#startedAtMs;
  }

  override sign(sign: 'sent' | 'piece'): void {
    super.sign(sign);
    this.#heardAtMs = this.#now();
  }

  due(): Due {
    const { wholeMs } = this.#times;
    const whole = {
      atMs: this.#startedAtMs + wholeMs,
      message: `no whole answer within ${secondsOf(wholeMs)} (KIT_MODEL_TIMEOUT)`,
    };
    const still = this.#dueForSilence();
    return still !== null && still.atMs < whole.atMs ? still : whole;
  }

  #dueForSilence(): Due | null {
    const { firstByteMs, silenceMs } = this.#times;
    switch (this.heard) {
      case 'nothing':
        return null;
      case 'sent':
        return firstByteMs === null
          ? null
          : {
              atMs: this.#heardAtMs + firstByteMs,
              message: `no answer began within ${secondsOf(firstByteMs)} (KIT_MODEL_FIRST_BYTE_S)`,
            };
      case 'piece':
        return silenceMs === null
          ? null
          : {
              atMs: this.#heardAtMs + silenceMs,
              message: `the answer broke off: nothing came for ${secondsOf(silenceMs)} (KIT_MODEL_SILENCE_S)`,
            };
    }
  }
}

const secondsOf = (ms: number): string => `${ms / 1000} s`;
