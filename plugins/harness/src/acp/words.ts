/** Told in the same session where an agent ends its turn because something was not allowed. */
export const afterDenials = (reasons: readonly string[]): string =>
  `kit did not allow what you asked for:\n- ${reasons.join('\n- ')}\nGo on without it and finish the task as far as you can.`;

/** Told to people where a session cannot be gone on with. */
export const sessionGone = (why: string): string =>
  `its session cannot be gone on with: ${why}. Go on elsewhere with kit run --resume RUN --anew`;
