import type { ArtifactText } from '../../app/review/review-app.js';
import { visibleLines } from '../../lib/shell-word.js';
import { bytesText, countText, oneLine } from '../../view/lines/words.js';
import type { Paint } from '../lines/paint.js';
import { readable } from './readable.js';

/** More than a screen or two is read with the command that is named below it. */
const MAX_LINES = 60;
const MAX_CHARS = 8_000;

/**
 * What is decided about, as text that a terminal only prints and in which nothing hides; the
 * beginning of a long one, and `more`, the command that prints all of it.
 */
export function artifactLines(
  { mediaType, sizeBytes, text }: ArtifactText,
  { isWhole, more, paint }: { readonly isWhole: boolean; readonly more: string; readonly paint: Paint },
): readonly string[] {
  const head = `${paint('strong', 'what is decided about')}  ${oneLine(mediaType, 100)}, ${bytesText(sizeBytes)}`;
  if (text === null) return [head, paint('dim', `  no text; ${more} > FILE`)];
  const whole = readable(text, mediaType);
  const shown = isWhole ? whole : whole.slice(0, MAX_CHARS).toWellFormed();
  const lines = visibleLines(shown).replace(/\n$/, '').split('\n');
  const kept = isWhole ? lines : lines.slice(0, MAX_LINES);
  const hidden = lineCount(whole) - kept.length;
  const isCut = hidden > 0 || shown.length < whole.length;
  const rest = hidden > 0 ? countText(hidden, 'more line') : 'more of the last line';
  return [head, ...kept.map((line) => `  ${line}`), ...(isCut ? [paint('dim', `  ... ${rest}: ${more}`)] : [])];
}

/** Without a copy of the text, which may be very long. */
function lineCount(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
