import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.js';
import { unlessOver } from './people.js';

/** A consumer of `GET /events` that keeps its cursor over every death of the api. */
export interface Follower {
  /** Event ids in the order in which they came. */
  readonly seen: readonly string[];
  /** Runs whose `run.ended` came. */
  readonly ended: ReadonlySet<string>;
  /** Answers that no consumer should get. */
  readonly problems: readonly string[];
  /** Reads to the end of the log once more, then stops. */
  finish(): Promise<void>;
}

interface Page {
  readonly events: readonly { readonly event_id: string; readonly event_type: string; readonly run_id: string }[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

const PAUSE_MS = 250;
const PAGE = 500;

export function followLog(api: Api, signal: AbortSignal): Follower {
  const seen: string[] = [];
  const ended = new Set<string>();
  const problems: string[] = [];
  const stop = new AbortController();
  const over = AbortSignal.any([signal, stop.signal]);
  let cursor = '';
  /** True when there is more. */
  const read = async (): Promise<boolean> => {
    const { status, body } = await api.ask('submitter', {
      method: 'GET',
      path: `/events?limit=${PAGE}${cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`}`,
    });
    if (status !== 200) {
      problems.push(`GET /events was answered with ${status}: ${JSON.stringify(body)}`);
      return false;
    }
    const page = body as Page;
    for (const event of page.events) {
      seen.push(event.event_id);
      if (event.event_type === 'run.ended') ended.add(event.run_id);
    }
    cursor = page.next_cursor;
    return page.has_more;
  };
  const loop = async (): Promise<void> => {
    while (!over.aborted) if (!(await read())) await sleep(PAUSE_MS, undefined, { signal: over });
  };
  const done = loop().catch(unlessOver(over));
  return {
    seen,
    ended,
    problems,
    finish: async () => {
      stop.abort();
      await done;
      while (await read());
    },
  };
}
