import { setTimeout as pause } from 'node:timers/promises';
import { billed, type Prices } from './billed.js';
import type { Protocol, RecordedRequest } from './protocol.js';
import type { Reply } from './reply.js';

/** How a server is, beyond its wire format. One belongs to one server: it may count. */
export interface Personality {
  /** What it refuses of a request, beyond what breaks the format; [] = nothing. Status 400. */
  readonly problems?: (request: RecordedRequest, protocol: Protocol) => readonly string[];
  /** What becomes of the reply of the script. */
  readonly changed?: (reply: Reply, request: RecordedRequest, protocol: Protocol) => Reply;
}

/** Takes a few requests at the same time and refuses the others with 429. */
export interface Crowd extends Personality {
  readonly changed: NonNullable<Personality['changed']>;
  /** Requests that were refused so far. */
  readonly refused: () => number;
  /** The most that were under way at the same time, refused ones not counted. */
  readonly most: () => number;
}

/**
 * @param takesMs how long it works on each answer
 * @param waitsUntilFull no answer goes out before it has worked on `atOnce` at the same time,
 *   however slowly whoever asks them comes
 */
export function crowd(of: {
  readonly atOnce: number;
  readonly takesMs: number;
  readonly waitsUntilFull?: true;
}): Crowd {
  const { atOnce, takesMs, waitsUntilFull } = of;
  let [busy, refused, most] = [0, 0, 0];
  const full = Promise.withResolvers<void>();
  return {
    changed: (reply) => {
      if (busy >= atOnce) {
        refused += 1;
        return { do: 'status', status: 429, headers: { 'retry-after': '1' } };
      }
      busy += 1;
      most = Math.max(most, busy);
      if (busy === atOnce) full.resolve();
      const until = Promise.all([pause(takesMs), waitsUntilFull && full.promise]).finally(() => {
        busy -= 1;
      });
      return { do: 'hold', until, reply };
    },
    refused: () => refused,
    most: () => most,
  };
}

/** Tokens of a text, as these servers count: four characters each. */
export const tokensOf = (value: unknown): number =>
  Math.ceil((typeof value === 'string' ? value : JSON.stringify(value ?? null)).length / 4);

/** A model with a window of so many tokens, which refuses what is longer as its service does. */
export const windowOf = (tokens: number): Personality => ({
  changed: (reply, { body }, protocol) => {
    const asked = tokensOf(body);
    if (asked > tokens) return { do: 'status', status: 400, ...protocol.tooLong(asked, tokens) };
    return reply.do === 'answer'
      ? { ...reply, usage: { prompt: asked, completion: tokensOf(reply.text ?? reply.calls), ...reply.usage } }
      : reply;
  },
});

/** Ends every answer after so many tokens, of its text or of the arguments of its first call. */
export const cutsAt = (tokens: number): Personality => ({
  changed: (reply, _, protocol) => {
    if (reply.do !== 'answer') return reply;
    const chars = tokens * 4;
    const { text, calls = [] } = reply;
    if ((text ?? '').length > chars)
      return { ...reply, text: (text ?? '').slice(0, chars), calls: [], finish: protocol.cutFinish };
    const [first] = calls;
    const written = first === undefined ? '' : JSON.stringify(first.arguments);
    if (first === undefined || written.length <= chars) return reply;
    const cut = protocol.wholeCalls === true ? [] : [{ ...first, arguments: written.slice(0, chars) }];
    return { ...reply, calls: cut, finish: protocol.cutFinish };
  },
});

/** Streams one piece at a time; `between` decides when the next one goes out. */
export const slow = (between: () => Promise<unknown>): Personality => ({
  changed: (reply) => (reply.do === 'answer' ? { ...reply, do: 'drip', between } : reply),
});

/** Takes every request and never says a word. */
export const silent: Personality = { changed: () => ({ do: 'silence' }) };

/**
 * Thinks in the words of `says` before each answer, and refuses a conversation in which an answer
 * of its own came back without: DeepSeek's rule, and OpenRouter's of signed details.
 */
export const wantsReasoningBack = (says: 'reasoning_content' | 'reasoning_details'): Personality => {
  let answers = 0;
  return {
    problems: ({ body }) =>
      (Array.isArray(body?.messages) ? body.messages : []).flatMap((message: Record<string, unknown>, at: number) =>
        message.role !== 'assistant' || isThere(message[says])
          ? []
          : [`Missing \`${says}\` field in the assistant message at message index ${at}.`],
      ),
    changed: (reply) => {
      answers += 1;
      const thought = { text: `Thought number ${answers}.`, signature: `signed ${answers}`, says };
      return reply.do === 'answer' ? { ...reply, reasoning: thought } : reply;
    },
  };
};

const isThere = (field: unknown): boolean => (Array.isArray(field) ? field.length > 0 : typeof field === 'string');

/** Bills by what a request begins with, as its usage says. */
export const bills = (prices: Prices): Personality & ReturnType<typeof billed> => {
  const bill = billed(prices);
  return {
    ...bill,
    changed: (reply, request) => (reply.do === 'answer' ? { ...reply, usage: bill.usageOf(request) } : reply),
  };
};

/** Whoever starts a server by hand names them so; a number follows a colon. */
const NAMED: Readonly<Record<string, { readonly what: string; readonly make: (value: number | null) => Personality }>> =
  {
    reasoning: { what: 'wants its reasoning_content back', make: () => wantsReasoningBack('reasoning_content') },
    'reasoning-details': {
      what: 'wants its reasoning_details back',
      make: () => wantsReasoningBack('reasoning_details'),
    },
    bills: {
      what: 'bills by prefix; the usage says what was read and written',
      make: () => bills({ input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 }),
    },
    crowded: {
      what: 'N (5) requests at once, 429 for the others',
      make: (n) => crowd({ atOnce: n ?? 5, takesMs: 1_000 }),
    },
    slow: { what: 'a piece each N (1000) ms', make: (ms) => slow(() => pause(ms ?? 1_000)) },
    silent: { what: 'never says a word', make: () => silent },
    cuts: { what: 'ends every answer after N (20) tokens', make: (n) => cutsAt(n ?? 20) },
    window: { what: 'refuses what is longer than N (32000) tokens', make: (n) => windowOf(n ?? 32_000) },
  };

export const PERSONALITIES: readonly string[] = Object.entries(NAMED).map(([name, { what }]) => `${name}: ${what}`);

/** `name` or `name:number`; null = there is none. */
export function personalityNamed(text: string): Personality | null {
  const found = /^([a-z-]+)(?::(\d{1,7}))?$/.exec(text);
  const known = found === null ? undefined : NAMED[found[1] ?? ''];
  return known === undefined ? null : known.make(found?.[2] === undefined ? null : Number(found[2]));
}
