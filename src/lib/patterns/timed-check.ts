import { createContext, Script } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';

/** The check was broken off: whether the value fits is not known. */
class LateCheck extends Error {
  override readonly name = 'LateCheck';
}

/** Far over what an honest schema takes, far under a lease. */
const TIMEOUT_MS = 1_000;

const OUTSIDE = { check: (): unknown => undefined };
let entered: { readonly script: Script; readonly context: object } | undefined;

/**
 * The same check, broken off after a second with `LateCheck`. Forty definitions that each refer
 * twice to the next are a page of text and a billion of checks. It stays in this thread, since a
 * thread for each value would cost more than the check: a hostile schema takes a second at most.
 */
export function timedCheck(check: ValidateFunction, timeoutMs: number = TIMEOUT_MS): ValidateFunction {
  return new Proxy(check, {
    apply: (target, self, args) => inTime(() => Reflect.apply(target, self, args), timeoutMs),
  });
}

function inTime(check: () => unknown, timeout: number): unknown {
  entered ??= { script: new Script('outside.check()'), context: createContext({ outside: OUTSIDE }) };
  OUTSIDE.check = check;
  try {
    const fits: unknown = entered.script.runInContext(entered.context, { timeout });
    return fits;
  } catch (error) {
    // A schema that leads to itself without end fills the stack before the time is over.
    if (error instanceof RangeError || isTimeout(error)) throw new LateCheck('the check was broken off');
    throw error;
  } finally {
    OUTSIDE.check = () => undefined;
  }
}

const isTimeout = (error: unknown): boolean =>
  // The error is one of the context, and no `Error` of this one.
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** What `judged` gives; `otherwise` where a check in it was broken off. */
export async function unlessLate<T>(judged: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await judged();
  } catch (error) {
    if (error instanceof LateCheck) return otherwise;
    throw error;
  }
}
