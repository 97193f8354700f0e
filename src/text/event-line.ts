import type { StoredEvent } from '../domain/events.js';
import { eventText } from '../view/lines/event-text.js';
import { oneLine } from '../view/lines/words.js';
import { createPaint, type Paint } from './lines/paint.js';

export interface LineOptions {
  readonly color: boolean;
  /** Adds tool calls and messages of harnesses. */
  readonly verbose: boolean;
  /** Column of agent names; names that are longer push their own line alone. */
  readonly nameWidth?: number;
  /** Time of day before each line (`kit logs`); off for a run that is watched. */
  readonly time?: boolean;
}

/** What belongs to no agent begins below the names of agents. */
const SHORTEST_COLUMN = 3;

/** Wide enough for most agent ids without eating the line. */
export const DEFAULT_NAME_WIDTH = 14;

/**
 * One event as one line without its newline; null = nothing to show at this verbosity. Pure: what a
 * line says depends on its event and the options alone, so that a replay prints the same text.
 */
export function eventLine(event: StoredEvent, options: LineOptions): string | null {
  const said = eventText(event);
  if (said.detail && !options.verbose) return null;
  const paint = createPaint(options.color);
  const time = options.time === true ? `${paint('dim', event.timestamp.slice(11, 19))} ` : '';
  return `${time}${nameColumn(event.agentId, options.nameWidth ?? DEFAULT_NAME_WIDTH, paint)} ${paint(said.tone, said.text)}`.trimEnd();
}

function nameColumn(agentId: string | null, width: number, paint: Paint): string {
  const shown = agentId === null ? '' : oneLine(agentId, 60);
  return paint('strong', shown.padEnd(width));
}

/** Column for a known set of agents: as wide as the longest name, within reason. */
export function nameWidthOf(agentIds: Iterable<string>): number {
  let width = SHORTEST_COLUMN;
  for (const id of agentIds) width = Math.max(width, id.length);
  return Math.min(width, 28);
}
