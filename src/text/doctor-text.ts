import type { CheckStatus, DoctorReport } from '../view/doctor-report.js';
import type { Tone } from '../view/lines/tone.js';
import { manyLines, oneLine } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import type { TableOptions } from './lines/table.js';

const MAX_CHARS = 500;
const ORDER: readonly CheckStatus[] = ['ok', 'warn', 'fail', 'skipped'];
const TONES: Readonly<Record<CheckStatus, Tone>> = { ok: 'good', warn: 'warn', fail: 'bad', skipped: 'dim' };

/**
 * One line a check; below one that is to be fixed the text to paste. Nothing is cut: a fix that is
 * half there is none.
 */
export function doctorText({ checks }: DoctorReport, { color }: Pick<TableOptions, 'color'>): string {
  const paint = createPaint(color);
  const [statusWidth, idWidth] = [
    Math.max(...ORDER.map(({ length }) => length)),
    Math.max(...checks.map(({ id }) => id.length), 0),
  ];
  const lines = checks.flatMap(({ id, status, found, fix }) => [
    `${paint(TONES[status], status.padEnd(statusWidth))}  ${oneLine(id, MAX_CHARS).padEnd(idWidth)}  ${oneLine(found, MAX_CHARS)}`,
    ...(fix === null
      ? []
      : manyLines(fix)
          .split('\n')
          .map((line, index) => `${' '.repeat(statusWidth)}  ${index === 0 ? 'fix: ' : '     '}${line}`)),
  ]);
  const counts = ORDER.map((status) => ({ status, count: checks.filter((check) => check.status === status).length }));
  return [
    ...lines,
    '',
    counts.flatMap(({ status, count }) => (count === 0 ? [] : `${count} ${status}`)).join(', '),
  ].join('\n');
}
