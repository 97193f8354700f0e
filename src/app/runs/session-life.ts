/** How long the parts of a session are kept: until it was replaced, and nothing uses it. */
export interface SessionLife {
  /** Of one run; gives what lets go of the session. */
  use(): () => void;
  /** The same for as long as `work` takes. */
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
  const use = () => {
    users += 1;
    return () => {
      users -= 1;
      endIdle();
    };
  };
  return {
    use,
    hold: async (work) => {
      const letGo = use();
      try {
        return await work();
      } finally {
        letGo();
      }
    },
    retire: () => {
      isRetired = true;
      endIdle();
    },
  };
}
