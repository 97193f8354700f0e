import { costText, countText, oneLine, shortNumber } from '../view/lines/words.js';
import type { UsageReport } from '../view/model-usage.js';
import { createPaint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';
import type { ObserveOptions } from './status-text.js';

const FIGURES: readonly Column[] = [
  { title: 'CALLS', align: 'right' },
  { title: 'TOKENS IN', align: 'right' },
  { title: 'CACHED', align: 'right', dropFirst: 1 },
  { title: 'TOKENS OUT', align: 'right' },
  { title: 'COST', align: 'right' },
];

/** `$1.25 for 12 calls of models`, and a line for each model, topology or day. */
export function usageText({ summary, by, shares }: UsageReport, options: ObserveOptions): string {
  const paint = createPaint(options.color);
  const calls = countText(summary.calls, 'call');
  const total = `${paint('strong', costText(summary.costUsd))} for ${calls} of models`;
  const rows = shares.map(({ key, calls: times, inputTokens, cachedInputTokens, outputTokens, costUsd }) => [
    { text: oneLine(key, 80) },
    { text: String(times) },
    { text: shortNumber(inputTokens) },
    { text: cachedInputTokens === 0 ? '' : shortNumber(cachedInputTokens) },
    { text: shortNumber(outputTokens) },
    { text: costUsd === null ? 'unknown' : costText(costUsd) },
  ]);
  const first: Column = { title: by.toUpperCase(), canShrink: true };
  return [total, '', ...table([first, ...FIGURES], rows, { paint, width: options.width })].join('\n');
}
