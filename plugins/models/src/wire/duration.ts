const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `6m0s`, `1.5s`, `120ms`; plain seconds where there is no unit; else null. */
export function durationMs(text: string): number | null {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return 1_000 * Number(text);
  const parts = text.match(/\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d)/g) ?? [];
  if (parts.length === 0 || parts.join('') !== text) return null;
  return parts.reduce((sum, part) => {
    const unit = part.replace(/^[\d.]+/, '');
    return sum + Number(part.slice(0, -unit.length)) * (UNITS_MS[unit] ?? 0);
  }, 0);
}
