/** What `settledSoon` gives for a promise that waits for something. */
export const LATER = Symbol('later');

/**
 * What a promise settles with when it waits for nothing outside: no timer, no signal and no
 * listener is needed for it. LATER for any other, once everything that is at hand has been carried
 * out; it can then be guarded as if it had just been made. Rejects as the promise does.
 */
export function settledSoon<T>(promise: Promise<T>): Promise<T | typeof LATER> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    if (waiting.push(() => resolve(LATER)) === 1) process.nextTick(callAll);
  });
}

/** Who waits for what is at hand: one look at the end of a turn is for all of them. */
let waiting: (() => void)[] = [];

/** Node.js gets here when no reaction of a promise is left to carry out. */
function callAll(): void {
  const callbacks = waiting;
  waiting = [];
  for (const callback of callbacks) callback();
}
