/** At hand already, or on its way: who awaits it needs not know, who does not spares a promise. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on with an answer: at once where it is at hand, with no promise and no turn of its own. What
 * is thrown then is thrown at once.
 */
export function onceKnown<T, U>(answer: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}
