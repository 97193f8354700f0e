/** Told to people where a session cannot be gone on with. */
export const sessionGone = (why: string): string =>
  `its session cannot be gone on with: ${why}. A new run does the work from its beginning`;
