/**
 * Waits so long, or until the signal or the browser's `online` comes: a network that is back is
 * tried at once. `network`: what tells of it.
 */
export function paused(
  ms: number,
  { signal, network }: { readonly signal: AbortSignal; readonly network: EventTarget },
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      network.removeEventListener('online', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
    network.addEventListener('online', over);
  });
}

/**
 * The time of one long request: over with `signal`, and when the network goes or is back. What was
 * asked over the network of before may never be answered, and nothing says so. `end` belongs to
 * whoever asked for it.
 */
export function onNetwork({ signal, network }: { readonly signal: AbortSignal; readonly network: EventTarget }): {
  readonly signal: AbortSignal;
  readonly end: () => void;
} {
  const changed = new AbortController();
  const over = (): void => changed.abort(new TypeError('the network changed'));
  for (const name of ['online', 'offline']) network.addEventListener(name, over);
  return {
    signal: AbortSignal.any([signal, changed.signal]),
    end: () => {
      for (const name of ['online', 'offline']) network.removeEventListener(name, over);
    },
  };
}
