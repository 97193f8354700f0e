const FIRST_BYTES = 1024;

/** Yes or no for each of many numbers from 0, in one bit each: of a million of them 125 kB. */
export interface Bits {
  has(n: number): boolean;
  add(n: number): void;
}

export function createBits(): Bits {
  let bytes = new Uint8Array(FIRST_BYTES);
  return {
    has: (n) => ((bytes[n >>> 3] ?? 0) & (1 << (n & 7))) !== 0,
    add(n) {
      const at = n >>> 3;
      if (at >= bytes.length) {
        const wider = new Uint8Array(Math.max(bytes.length * 2, at + 1));
        wider.set(bytes);
        bytes = wider;
      }
      bytes[at] = (bytes[at] ?? 0) | (1 << (n & 7));
    },
  };
}
