/** Told to people where a session cannot be gone on with. */
export const sessionGone = (why: string): string =>
  `its session cannot be gone on with: ${why}. Go on elsewhere with kit run --resume RUN --anew`;
