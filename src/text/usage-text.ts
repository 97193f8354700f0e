import { costText, countText, oneLine, shortNumber } from '../view/lines/words.js';
import type { UsageReport } from '../view/model-usage.js';
import { createPaint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';

type Share = UsageReport['shares'][number];

const FIGURES: readonly Column<Share>[] = [
  { title: 'CALLS', align: 'right', of: ({ calls }) => String(calls) },
  { title: 'TOKENS IN', align: 'right', of: ({ inputTokens }) => shortNumber(inputTokens) },
  {
    title: 'CACHED',
    align: 'right',
    dropFirst: 1,
    of: ({ cachedInputTokens: cached }) => (cached === 0 ? '' : shortNumber(cached)),
  },
  { title: 'TOKENS OUT', align: 'right', of: ({ outputTokens }) => shortNumber(outputTokens) },
  { title: 'COST', align: 'right', of: ({ costUsd }) => (costUsd === null ? 'unknown' : costText(costUsd)) },
];

/** `$1.25 for 12 calls of models`, and a line for each model, topology or day. */
export function usageText({ summary, by, shares }: UsageReport, options: TableOptions): string {
  const paint = createPaint(options.color);
  const calls = countText(summary.calls, 'call');
  const total = `${paint('strong', costText(summary.costUsd))} for ${calls} of models`;
  const first: Column<Share> = { title: by.toUpperCase(), canShrink: true, of: ({ key }) => oneLine(key, 80) };
  const rest = paint('dim', 'without coding agents: kit trace RUN shows what their sessions cost');
  return [total, '', ...table([first, ...FIGURES], shares, options), '', rest].join('\n');
}
