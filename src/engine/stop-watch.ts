/** Tells that a person asked for a stop, to what can be given up for it. */
export interface StopWatch {
  /** Aborts once a stop was seen: at the next look, so only while somebody watches. */
  readonly signal: AbortSignal;
  /** Looks again and again until the returned function is called. */
  watch(): () => void;
}
