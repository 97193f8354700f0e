import { oneLine } from '../../view/lines/words.js';
import type { RunWarning } from '../../view/run-view.js';
import { isUngated } from '../../view/warnings.js';
import type { Paint } from './paint.js';

/** A warning of a run in one line; red where nobody reviewed a gate. */
export function warningLine(warning: RunWarning, paint: Paint): string {
  const { agentId, text } = warning;
  const agent = agentId === null ? '' : `${oneLine(agentId, 60)}: `;
  return paint(isUngated(warning) ? 'bad' : 'warn', `! ${agent}${oneLine(text, 300)}`);
}
