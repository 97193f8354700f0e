const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Milliseconds of a whole number with `s`, `m`, `h` or `d` (`90m`, `7d`); null for any other text.
 */
export function durationMs(text: string): number | null {
  const [, amount, unit] = /^([1-9][0-9]*)([smhd])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return null;
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
