/**
 * One behaviour that kit relies on. `run` rejects with a `ContractViolation` when it does not hold.
 * It resolves to null when it holds, and to a sentence when the contribution gave nothing to check
 * (a provider without a network cannot lose it).
 */
export interface ContractCase {
  /** A sentence, unique in its suite, whose subject is the contribution. */
  readonly name: string;
  readonly run: () => Promise<string | null>;
}

/** What a broken contract throws: the sentence says what was seen, never with a secret in it. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}

/** Throws a ContractViolation unless the condition holds. */
export function must(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new ContractViolation(otherwise);
}

export const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** What a call came to. */
export type Settled<T> =
  | { readonly how: 'value'; readonly value: T }
  | { readonly how: 'error'; readonly error: unknown };

/**
 * Real milliseconds: a contribution that waits for ever must not hold up the suite. What the host
 * allows `create` (docs/design/decisions.md#plugin-deadline).
 */
export const DEADLINE_MS = 5_000;

/** Waits for a call. Throws a ContractViolation when it has not settled after `deadlineMs`. */
export async function settled<T>(work: () => Promise<T> | T, deadlineMs: number, what: string): Promise<Settled<T>> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ContractViolation(`${what} has not ended after ${deadlineMs} ms`)), deadlineMs);
  });
  const working = (async () => work())().then(
    (value): Settled<T> => ({ how: 'value', value }),
    (error: unknown): Settled<T> => ({ how: 'error', error }),
  );
  try {
    return await Promise.race([working, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** The value of a call. Throws a ContractViolation when it throws or does not end. */
export async function resultOf<T>(work: () => Promise<T> | T, deadlineMs: number, what: string): Promise<T> {
  const outcome = await settled(work, deadlineMs, what);
  if (outcome.how === 'error')
    throw new ContractViolation(`${what} threw ${textOf(outcome.error)}`, { cause: outcome.error });
  return outcome.value;
}

/** A copy that cannot be changed, all the way down: writing to it throws in a module. */
export function frozen<T>(value: T): T {
  const freeze = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || Object.isFrozen(node)) return;
    Object.freeze(node);
    for (const member of Object.values(node)) freeze(member);
  };
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
}
