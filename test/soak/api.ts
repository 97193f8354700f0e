import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './workspace.js';

/** What the api said in the end. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One caller of the api, who is patient with a server that dies, comes back, or is full. */
export interface Api {
  /**
   * Asks again, with the same bytes and headers, until there is an answer that is no 429 and no
   * 503.
   */
  ask(caller: Caller, ask: Ask): Promise<Answer>;
  /** Answers that had to be asked for again, by status; 0 = no connection, or one that broke. */
  readonly repeats: ReadonlyMap<number, number>;
  /** Answers that no caller should get: 5xx other than 503. */
  readonly problems: readonly string[];
}

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const ANSWER_MS = 20_000;
const PAUSE_MS = 300;

export function createApi(url: string, keys: Readonly<Record<Caller, string>>, signal: AbortSignal): Api {
  const repeats = new Map<number, number>();
  const problems: string[] = [];
  const again = async (status: number): Promise<void> => {
    repeats.set(status, (repeats.get(status) ?? 0) + 1);
    await sleep(PAUSE_MS, undefined, { signal });
  };
  return {
    repeats,
    problems,
    ask: async (caller, ask) => {
      for (;;) {
        const answer = await askOnce(`${url}${ask.path}`, keys[caller], ask);
        if (answer !== null && answer.status !== 429 && answer.status < 500) return answer;
        if (answer !== null && answer.status >= 500 && answer.status !== 503)
          problems.push(`${ask.method} ${ask.path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
        await again(answer?.status ?? 0);
      }
    },
  };
}

/** Null: no answer came, or not all of it. */
async function askOnce(url: string, key: string, { method, body, headers }: Ask): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        authorization: `Bearer ${key}`,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}
