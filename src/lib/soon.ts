/** At hand already, or on its way: who awaits it needs not know, who does not spares a promise. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on with an answer: at once where it is at hand, with no promise and no turn of its own. What
 * is thrown then is thrown at once.
 */
export function onceKnown<T, U>(answer: Soon<T>, next: (value: T) => Promise<U>): Promise<U>;
export function onceKnown<T, U>(answer: Soon<T>, next: (value: T) => Soon<U>): Soon<U>;
export function onceKnown<T, U>(answer: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/**
 * Does something with each of them, one after another: over at once where none has to be waited
 * for. Throws what the first throws that does; what comes behind it is not begun.
 */
export function inTurn<T>(items: readonly T[], act: (item: T) => Soon<void> | undefined): Soon<void> {
  for (let at = 0; at < items.length; at += 1) {
    const done = act(items[at] as T); // within the bounds of the list
    if (done instanceof Promise) return waitedInTurn(done, items.slice(at + 1), act);
  }
}

async function waitedInTurn<T>(
  first: Promise<void>,
  rest: readonly T[],
  act: (item: T) => Soon<void> | undefined,
): Promise<void> {
  await first;
  for (const item of rest) await act(item);
}

/**
 * Goes through steps of which each is given what `answerTo` makes of the one that it yields; steps
 * that yield nothing are over at once. Throws what they throw. What `answerTo` rejects with ends
 * them where they stand: none of them catches it.
 */
export function goThrough<S, T>(steps: Generator<S, T, unknown>, answerTo: (step: S) => unknown): Soon<T> {
  const first = steps.next();
  return first.done === true ? first.value : goOn(steps, answerTo, first.value);
}

async function goOn<S, T>(steps: Generator<S, T, unknown>, answerTo: (step: S) => unknown, first: S): Promise<T> {
  let step = first;
  for (;;) {
    const next = steps.next(await answerTo(step));
    if (next.done === true) return next.value;
    step = next.value;
  }
}
