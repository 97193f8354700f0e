import { Unfinished } from './unfinished.js';

/** How one of several concurrent branches ended. */
type Settled<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'unfinished'; readonly error: Unfinished }
  | { readonly kind: 'error'; readonly error: unknown };

export interface JoinOptions<T> {
  /** True for a value that fails the whole scope. */
  readonly isFailure: (value: T) => boolean;
  /**
   * Aborts the scope; the branches that are still running are awaited all the same
   * (docs/design/journal.md#one-scope).
   */
  readonly abort: () => void;
}

/**
 * Runs branches side by side and waits for every one of them. The failure that counts is the first
 * by call site, never by arrival (docs/design/journal.md#call-order): the caller finds it in the
 * returned array. A branch that a failing sibling aborted has no result; its place holds null.
 */
export function joinBranches<T>(
  branches: readonly (() => Promise<T>)[],
  options: JoinOptions<T>,
): Promise<readonly (T | null)[]> {
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? joinOne(only, options) : joinAll(branches, options);
}

/**
 * Most often there is one, and it may take long: nothing is held to wait for several. It comes to
 * what `joinAll` would make of it.
 */
async function joinOne<T>(branch: () => Promise<T>, options: JoinOptions<T>): Promise<readonly [T]> {
  try {
    const value = await branch();
    if (options.isFailure(value)) options.abort();
    return [value];
  } catch (error) {
    if (!(error instanceof Unfinished)) options.abort();
    throw error;
  }
}

async function joinAll<T>(
  branches: readonly (() => Promise<T>)[],
  options: JoinOptions<T>,
): Promise<readonly (T | null)[]> {
  const settled = await Promise.all(branches.map((branch) => settle(branch, options)));
  const broken = settled.find((one) => one.kind === 'error');
  if (broken !== undefined) throw broken.error;
  const failed = settled.some((one) => one.kind === 'value' && options.isFailure(one.value));
  if (!failed) {
    const unfinished = settled.flatMap((one) => (one.kind === 'unfinished' ? [one.error] : []));
    const first = unfinished.find((error) => error.reason !== 'abort') ?? unfinished[0];
    if (first !== undefined) throw first;
  }
  return settled.map((one) => (one.kind === 'value' ? one.value : null));
}

async function settle<T>(branch: () => Promise<T>, options: JoinOptions<T>): Promise<Settled<T>> {
  try {
    const value = await branch();
    if (options.isFailure(value)) options.abort();
    return { kind: 'value', value };
  } catch (error) {
    if (error instanceof Unfinished) return { kind: 'unfinished', error };
    options.abort();
    return { kind: 'error', error };
  }
}
