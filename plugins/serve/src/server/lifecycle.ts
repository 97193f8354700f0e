/**
 * How far a server is. `starting`: it listens and its store is not open yet; `stopping`: it takes
 * nothing new.
 */
export type ServerState = 'starting' | 'ready' | 'stopping';

/** The state of one server, and the signal that open streams end by. */
export interface Lifecycle {
  readonly state: ServerState;
  /** Aborts when the server begins to stop. */
  readonly closing: AbortSignal;
  /** Forward only: what stops never becomes ready. */
  become(state: ServerState): void;
}

const ORDER: readonly ServerState[] = ['starting', 'ready', 'stopping'];

export function createLifecycle(initial: ServerState): Lifecycle {
  const closing = new AbortController();
  let state = initial;
  return {
    get state() {
      return state;
    },
    closing: closing.signal,
    become: (next) => {
      if (ORDER.indexOf(next) > ORDER.indexOf(state)) state = next;
      if (state === 'stopping') closing.abort();
    },
  };
}
