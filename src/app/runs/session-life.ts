/** How long the parts of a session are kept: until it was replaced, and nothing uses it. */
export interface SessionLife {
  /** Uses the session for as long as `work` takes: a run, a submit, a call of a sink. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Another session has taken its place: it ends once nobody uses it. */
  retire(): void;
}

/** `end` closes what the session has open, and never rejects. */
export function createSessionLife(end: () => Promise<void>): SessionLife {
  let users = 0;
  let isRetired = false;
  const endIdle = (): void => {
    if (isRetired && users === 0) void end();
  };
  return {
    hold: async (work) => {
      users += 1;
      try {
        return await work();
      } finally {
        users -= 1;
        endIdle();
      }
    },
    retire: () => {
      isRetired = true;
      endIdle();
    },
  };
}
