/**
 * For work that clears up behind others: callers that arrive while it runs share the next run of
 * it. Each caller's run begins after its call, so nobody's is skipped, and there are never more
 * than two for any number of callers.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    const started = work().finally(() => {
      running = null;
    });
    running = started;
    return started;
  };
  return () => {
    if (running === null) return run();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return run();
      });
    return next;
  };
}
