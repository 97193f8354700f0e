/**
 * The largest message that is read while no call is in flight: lists of tools, and what a server
 * says by itself.
 */
const BASE_BYTES = 4 * 1024 * 1024;
/**
 * A byte of text can be six in JSON (`\u0000`), and an answer may carry its text a second time as
 * structured content.
 */
const JSON_FACTOR = 8;
/** Beyond it nothing is held, whatever a call allows. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Bounds of one connection: as large as the calls in flight allow. What an answer really holds is
 * measured when it is there.
 */
export interface Limits {
  enter(maxBytes: number): () => void;
  maxMessage(): number;
}

export function createLimits(): Limits {
  const inFlight: number[] = [];
  return {
    enter: (maxBytes) => {
      inFlight.push(maxBytes);
      return () => void inFlight.splice(inFlight.indexOf(maxBytes), 1);
    },
    maxMessage: () => Math.min(MOST_BYTES, Math.max(BASE_BYTES, ...inFlight.map((bytes) => bytes * JSON_FACTOR))),
  };
}
