/** What `settledSoon` gives for a promise that waits for something. */
export const LATER = Symbol('later');

/**
 * Microtasks that an answer from inside the process may take to come through the functions around
 * it.
 */
const TURNS = 24;

/**
 * What a promise settles with when it waits for nothing outside: no timer, no signal and no
 * listener is needed for it. LATER for any other, which can then be guarded as if it had just been
 * made. Rejects as the promise does.
 */
export async function settledSoon<T>(promise: Promise<T>): Promise<T | typeof LATER> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < TURNS && !isSettled; turn++) await undefined;
  return isSettled ? promise : LATER;
}
