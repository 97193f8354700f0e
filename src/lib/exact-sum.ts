/**
 * A sum of finite numbers that is rounded once, when it is read: it is the same in whichever order
 * they came, and what is taken away again leaves nothing behind. It is kept as parts whose digits
 * do not overlap, the smallest first (Shewchuk, "Adaptive Precision Floating-Point Arithmetic").
 */
export class ExactSum {
  readonly #parts: readonly number[];

  constructor(parts: readonly number[] = []) {
    this.#parts = parts;
  }

  plus(value: number): ExactSum {
    if (value === 0) return this;
    const parts: number[] = [];
    let carried = value;
    for (const part of this.#parts) {
      const { sum, lost } = exactly(carried, part);
      carried = sum;
      if (lost !== 0) parts.push(lost);
    }
    if (carried !== 0) parts.push(carried);
    return new ExactSum(parts);
  }

  get value(): number {
    let rounded = 0;
    for (let n = this.#parts.length - 1; n >= 0; n -= 1) {
      const { sum, lost } = exactly(rounded, this.#parts[n] ?? 0);
      rounded = sum;
      if (lost === 0) continue;
      // Half way between two numbers, what comes after it says which one is nearer. Their signs
      // are compared, for the product of two small numbers is 0.
      const after = this.#parts[n - 1] ?? 0;
      const up = rounded + 2 * lost;
      const isSameWay = Math.sign(after) === Math.sign(lost);
      return isSameWay && up - rounded === 2 * lost ? up : rounded;
    }
    return rounded;
  }
}

/** A sum as it is rounded, and what was rounded away. */
function exactly(a: number, b: number): { readonly sum: number; readonly lost: number } {
  const [large, small] = Math.abs(a) < Math.abs(b) ? [b, a] : [a, b];
  const sum = large + small;
  return { sum, lost: small - (sum - large) };
}
