/**
 * Makes a switch exhaustive: the compiler refuses a forgotten case, and a value from outside the
 * types throws.
 */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
