import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { ApiError, type Client } from './client.js';
import { onNetwork, paused } from './paused.js';
import { useSession } from './session.js';

/** How the log is followed: each change of `tick` says that something may look different now. */
export interface Live {
  readonly tick: number;
  /** False: the server did not answer the last time; what is shown may be old. */
  readonly isConnected: boolean;
}

const Context = createContext<Live>({ tick: 0, isConnected: true });

export const useLive = (): Live => useContext(Context);

const WAIT_SECONDS = 25;
const LONGEST_PAUSE_MS = 15_000;
/** Least time between two looks while events come fast. */
const PACE_MS = 250;

interface Page {
  readonly events: readonly unknown[];
  readonly next_cursor: string;
}

async function follow(
  client: Client,
  signal: AbortSignal,
  onChange: (live: { readonly isNew: boolean; readonly isConnected: boolean }) => void,
) {
  let cursor: string | null = null;
  let failures = 0;
  while (!signal.aborted) {
    const asking = onNetwork({ signal, network: globalThis });
    try {
      const after: string = cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`;
      // A server that is back says so at once, and does not wait until something happens.
      const wait = failures > 0 ? 0 : WAIT_SECONDS;
      const page: Page = await client.get<Page>(`/events?wait=${wait}&limit=1000${after}`, asking.signal);
      onChange({ isNew: page.events.length > 0 || failures > 0, isConnected: true });
      failures = 0;
      cursor = page.next_cursor;
      // A busy log is looked at a few times a second, not with each event.
      if (page.events.length > 0) await paused(PACE_MS, { signal, network: globalThis });
    } catch (error) {
      if (signal.aborted) return;
      // A cursor of a log that is gone: the end of the new one is asked for.
      if (error instanceof ApiError && error.status === 400) cursor = null;
      failures += 1;
      onChange({ isNew: false, isConnected: false });
      await paused(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2), {
        signal,
        network: globalThis,
      });
    } finally {
      asking.end();
    }
  }
}

/** One follower of the log for the whole page, however many parts of it look. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { client } = useSession();
  const [live, setLive] = useState<Live>({ tick: 0, isConnected: true });
  useEffect(() => {
    const over = new AbortController();
    void follow(client, over.signal, ({ isNew, isConnected }) =>
      setLive((last) =>
        isNew || isConnected !== last.isConnected ? { tick: last.tick + (isNew ? 1 : 0), isConnected } : last,
      ),
    );
    return () => over.abort();
  }, [client]);
  return <Context.Provider value={live}>{children}</Context.Provider>;
}

/**
 * What was asked for: nothing yet, an answer, or what went wrong. An older answer stays beside an
 * error.
 */
export interface Asked<T> {
  readonly data: T | null;
  readonly error: ApiError | Error | null;
  /** Asks again now. */
  readonly again: () => void;
}

interface Answer<T> {
  readonly path: string | null;
  readonly data: T | null;
  readonly error: Error | null;
}

/**
 * Reads `path` (null: nothing), and again when the log grew. One question is under way at a time.
 */
export function useAsked<T>(path: string | null): Asked<T> {
  const { client } = useSession();
  const { tick } = useLive();
  const [answer, setAnswer] = useState<Answer<T>>({ path: null, data: null, error: null });
  const ask = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (path === null) return;
    const over = new AbortController();
    let [isAsking, isOld] = [false, false];
    const once = async (): Promise<void> => {
      const asking = onNetwork({ signal: over.signal, network: globalThis });
      try {
        const data = await client.get<T>(path, asking.signal);
        if (!over.signal.aborted) setAnswer({ path, data, error: null });
      } catch (error) {
        if (over.signal.aborted) return;
        const failed = error instanceof Error ? error : new Error(String(error));
        setAnswer((last) => ({ path, data: last.path === path ? last.data : null, error: failed }));
      } finally {
        asking.end();
      }
    };
    const askAll = async (): Promise<void> => {
      isOld = true;
      if (isAsking) return;
      isAsking = true;
      while (isOld && !over.signal.aborted) {
        isOld = false;
        await once();
        if (isOld) await paused(PACE_MS, { signal: over.signal, network: globalThis });
      }
      isAsking = false;
    };
    ask.current = () => void askAll();
    return () => over.abort();
  }, [client, path]);
  useEffect(() => ask.current(), [client, path, tick]);
  const isOfPath = answer.path === path;
  return { data: isOfPath ? answer.data : null, error: isOfPath ? answer.error : null, again: () => ask.current() };
}
