import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExactSum } from '../../src/lib/exact-sum.js';

const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum.plus(value), new ExactSum()).value;

/** Units of 2^-1074, which every finite number is a whole number of. */
function unitsOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -size : size;
}

/** How far a number is from a sum of units; at least as near as its neighbours: it is rounded. */
const isNearest = (value: number, units: bigint): boolean => {
  const off = (one: number): bigint => {
    const difference = unitsOf(one) - units;
    return difference < 0n ? -difference : difference;
  };
  const step = Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE);
  return off(value) <= off(value + step) && off(value) <= off(value - step);
};

const anyNumber = fc.oneof(
  fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  fc.constantFrom(0.1, 0.2, 0.3, 1e-9, 2 ** -53, 2 ** -105, 1, 1e16, -1e16),
);

it('is the number nearest to the sum', () => {
  fc.assert(
    fc.property(fc.array(anyNumber), (values) => {
      const units = values.map(unitsOf).reduce((sum, one) => sum + one, 0n);
      expect(isNearest(sumOf(values), units)).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1);
});

it('is the same in any order, and without what was taken away again', () => {
  const values = fc.array(fc.tuple(anyNumber, fc.boolean()));
  fc.assert(
    fc.property(values, (added) => {
      const stays = added.flatMap(([value, isTaken]) => (isTaken ? [] : [value]));
      const taken = added.flatMap(([value, isTaken]) => (isTaken ? [-value] : []));
      expect(sumOf([...added.map(([value]) => value), ...taken])).toBe(sumOf([...stays].reverse()));
    }),
    { numRuns: 2000 },
  );
});

it('rounds half way by what comes after it', () => {
  expect(sumOf([1, 2 ** -53])).toBe(1);
  expect(sumOf([1, 2 ** -53, 2 ** -120])).toBe(1 + 2 ** -52);
  expect(sumOf([1, 2 ** -52, 2 ** -53, -(2 ** -120)])).toBe(1 + 2 ** -52);
  expect(sumOf([0.1, 0.2, -Number.MIN_VALUE])).toBe(0.3);
});
