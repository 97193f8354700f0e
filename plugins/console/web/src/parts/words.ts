/**
 * Numbers and times as people read them; the reader's own zone, named once in the title of each.
 */

import { visible } from './visible.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < MINUTE) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ${Math.round(seconds % MINUTE)} s`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
  return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}

export const durationMs = (ms: number | null): string => (ms === null ? '' : duration(ms / 1000));

export const money = (usd: number | null): string =>
  usd === null ? 'cost unknown' : usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;

export const count = (n: number): string => new Intl.NumberFormat('en').format(n);

/** `26 Nov 2026, 14:05:33 GMT+1`. */
export const moment = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso));

export const bytes = (n: number): string =>
  n < 1024 ? `${n} B` : n < 1024 ** 2 ? `${(n / 1024).toFixed(1)} KB` : `${(n / 1024 ** 2).toFixed(1)} MB`;

/** `Stop` of `stop`. */
export const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** One line of a text for a list. */
export const oneLine = (text: string, chars = 160): string => {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.length <= chars ? line : `${line.slice(0, chars - 1).toWellFormed()}…`;
};

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
