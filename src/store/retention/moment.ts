/** Until when something must have ended to go, and been put to be nobody's any more. */
export interface Moment {
  readonly before: string;
  /** A blob that was put later is left alone: somebody may be about to name it (blob-grace.ts). */
  readonly putBefore: string;
}

export const earlierOf = ({ before, putBefore }: Moment): string => (before < putBefore ? before : putBefore);
