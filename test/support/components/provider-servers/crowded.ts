import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedRequest } from './protocol.js';
import type { Reply, ReplyOf } from './server.js';

/** A provider that takes a few requests at the same time and refuses the others with 429. */
export interface Crowd {
  readonly replyOf: ReplyOf;
  /** Requests that were refused so far. */
  readonly refused: () => number;
  /** The most that were under way at the same time, refused ones not counted. */
  readonly most: () => number;
}

/** @param takesMs how long it works on each answer */
export function crowd(
  { atOnce, takesMs }: { readonly atOnce: number; readonly takesMs: number },
  reply: (request: RecordedRequest) => Reply,
): Crowd {
  let [busy, refused, most] = [0, 0, 0];
  const replyOf = (request: RecordedRequest): Reply => {
    if (busy >= atOnce) {
      refused += 1;
      return { do: 'status', status: 429, headers: { 'retry-after': '1' } };
    }
    busy += 1;
    most = Math.max(most, busy);
    const until = pause(takesMs).finally(() => {
      busy -= 1;
    });
    return { do: 'hold', until, reply: reply(request) };
  };
  return { replyOf, refused: () => refused, most: () => most };
}
