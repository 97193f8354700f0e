import type { ProviderLimits, ReportedLimit } from '@kit-run/kit/plugin';
import type { ServerConfig } from './config.js';

/** Who asks the same address with the key of the same variable shares a limit. */
export const limitsOf = ({ baseUrl, apiKeyEnv, limits }: ServerConfig): ProviderLimits => ({
  account: JSON.stringify([baseUrl, apiKeyEnv]),
  ...limits,
});

/** Headers of the limit on requests: its size, what is left of it, when it is whole again. */
const NAMES = [
  // Anthropic; the reset is an instant (RFC 3339).
  [
    'anthropic-ratelimit-requests-limit',
    'anthropic-ratelimit-requests-remaining',
    'anthropic-ratelimit-requests-reset',
  ],
  // OpenAI and most servers of its protocol; the reset is a duration such as `6m0s` or `120ms`.
  ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
] as const;

/** What the headers of an answer tell; null = nothing that can be read. */
export function reportedLimit(headers: Headers, nowMs: number): ReportedLimit | null {
  for (const [limitName, remainingName, resetName] of NAMES) {
    const [limit, remaining] = [countOf(headers.get(limitName)), countOf(headers.get(remainingName))];
    const reset = headers.get(resetName);
    const resetMs = reset === null ? null : resetOf(reset.trim(), nowMs);
    if (limit !== null && remaining !== null && resetMs !== null) return { limit, remaining, resetMs };
  }
  return null;
}

const countOf = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;

function resetOf(text: string, nowMs: number): number | null {
  if (text.length > 40) return null;
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return durationMs(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `6m0s`, `1.5s`, `120ms`; plain seconds where there is no unit; else null. */
function durationMs(text: string): number | null {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return 1_000 * Number(text);
  const parts = text.match(/\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d)/g) ?? [];
  if (parts.length === 0 || parts.join('') !== text) return null;
  return parts.reduce((sum, part) => {
    const unit = part.replace(/^[\d.]+/, '');
    return sum + Number(part.slice(0, -unit.length)) * (UNITS_MS[unit] ?? 0);
  }, 0);
}
