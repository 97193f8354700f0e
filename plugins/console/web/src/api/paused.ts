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
