/** How long the parts of a session are kept: until it was replaced, and nothing uses it. */
export interface SessionLife {
  /** Of one run, or of one who submits a run; gives what lets go of the session. */
  use(): () => void;
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
    use: () => {
      users += 1;
      return () => {
        users -= 1;
        endIdle();
      };
    },
    retire: () => {
      isRetired = true;
      endIdle();
    },
  };
}
