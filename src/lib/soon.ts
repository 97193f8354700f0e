/** At hand already, or on its way: who awaits it needs not know, who does not spares a promise. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on with an answer: at once where it is at hand, with no promise and no turn of its own. What
 * is thrown then is thrown at once.
 */
export function onceKnown<T, U>(answer: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/** Steps of which each waits for what it yields; what is at hand need not be yielded. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Goes through the steps at once, up to the first that has to wait. Throws what they throw. */
export function goThrough<T>(steps: Steps<T>): Soon<T> {
  const first = steps.next();
  return first.done === true ? first.value : goOn(steps, first.value);
}

async function goOn<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let waited = first;
  for (;;) {
    const next = steps.next(await waited);
    if (next.done === true) return next.value;
    waited = next.value;
  }
}
