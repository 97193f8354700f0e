import { dueWords, scheduleWords, sizeWords } from '../view/growth-words.js';
import { oneLine } from '../view/lines/words.js';
import type { GrowthReport } from '../view/storage-report.js';
import type { Paint } from './lines/paint.js';

const MAX_CHARS = 400;

/** How large a store is and what is due in it, a line each; none where nothing was ever run. */
export function growthLines(report: GrowthReport, paint: Paint): readonly string[] {
  const { store, retention, pruneEveryHours } = report;
  if (store.kind === 'none') return [];
  if (store.kind === 'unknown') {
    const hint = store.hint === null ? [] : [`${paint('dim', 'hint')} ${oneLine(store.hint, MAX_CHARS)}`];
    return [`${paint('bad', 'size')} the store cannot be asked: ${oneLine(store.error, MAX_CHARS)}`, ...hint];
  }
  const isLeft = store.due.runs > 0 && pruneEveryHours === null;
  const due = oneLine(`${dueWords(store, retention)}; ${scheduleWords(report)}`, MAX_CHARS);
  return [`${paint('strong', 'size')} ${sizeWords(store)}`, `${paint(isLeft ? 'warn' : 'good', 'due')} ${due}`];
}
