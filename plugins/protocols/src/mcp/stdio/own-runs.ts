import { type Job, KitError, type RunHandle } from '@kit-run/kit/command';

/** Runs that this process carries out. */
export interface OwnRuns {
  /** Throws KIT_CAPACITY where a workspace has as many as it may. */
  begin(workspace: { readonly directory: string; readonly max: number }, start: () => Promise<RunHandle>): Promise<Job>;
  /** Asks a run to stop; false = it is not carried out here. */
  stop(job: string): Promise<boolean>;
  /** Nothing new: what runs is asked to stop, and ended when it has not within `graceMs`. */
  end(graceMs: number): Promise<void>;
}

interface Running {
  readonly directory: string;
  /** Null until it was submitted. */
  handle: RunHandle | null;
}

/** `by`: who asks runs to stop. */
export function createOwnRuns(by: string, onLost: (error: unknown) => void): OwnRuns {
  const running = new Set<Running>();
  let isOver = false;

  async function stopSoon({ handle }: Running, late: Promise<void>): Promise<void> {
    if (handle === null) return;
    await handle.stop(by).catch(() => undefined); // it is ended below all the same
    const done = handle.done.then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([done, late]);
    handle.abort();
    await done;
  }

  return {
    begin: async ({ directory, max }, start) => {
      if (isOver) throw new KitError('KIT_NOT_READY', 'the server is stopping');
      if ([...running].filter((one) => one.directory === directory).length >= max)
        throw new KitError('KIT_CAPACITY', `all ${max} slots of this workspace are taken (server.jobs.max_concurrent)`);
      const one: Running = { directory, handle: null };
      running.add(one);
      try {
        const handle = await start();
        one.handle = handle;
        handle.done.catch(onLost).finally(() => running.delete(one));
        // The client went while the run was submitted.
        if (isOver) handle.abort();
        return handle.job;
      } catch (error) {
        running.delete(one);
        throw error;
      }
    },
    stop: async (job) => {
      const handle = [...running].find((one) => one.handle?.job.id === job)?.handle ?? null;
      await handle?.stop(by);
      return handle !== null;
    },
    end: async (graceMs) => {
      isOver = true;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, graceMs);
      await Promise.all([...running].map((one) => stopSoon(one, late.promise)));
      clearTimeout(timer);
    },
  };
}
