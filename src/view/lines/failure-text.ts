import type { EventPayloads } from '../../domain/generated/events.js';
import type { Json } from '../../domain/json.js';
import type { OutageView } from '../outage-view.js';
import type { RunView } from '../run-view.js';
import { type EventText, say } from './say.js';
import { oneLine } from './words.js';

/** Of a message that the log holds in short; its end may be missing. */
const MESSAGE = /"message":"((?:[^"\\]|\\.)*)/;

/** A line of a terminal has room for the beginning; `kit debug` shows the whole. */
const MAX_CHARS = 160;

/**
 * Why a call failed: its reason, and what was said about it as far as the log holds it
 * (`audit.detail`).
 */
export function failureText(reason: string | null, outputs: unknown): string {
  const said = oneLine(messageOf(outputs), MAX_CHARS);
  const short = reason === null ? '' : `: ${oneLine(reason)}`;
  return said === '' ? short : `${short} (${said})`;
}

function messageOf(outputs: unknown): string {
  if (typeof outputs !== 'object' || outputs === null) return '';
  if ('message' in outputs && typeof outputs.message === 'string') return outputs.message;
  const found =
    'summary' in outputs && typeof outputs.summary === 'string' ? MESSAGE.exec(outputs.summary)?.[1] : undefined;
  return found === undefined ? '' : unquoted(found);
}

/** The text between the quotes; where an escape is cut in two, as it stands. */
function unquoted(text: string): string {
  try {
    const value: Json = JSON.parse(`"${text}"`);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

/** A run that waits for what is down says why, and when it goes on. */
export function waitingText({ reason, tries, until }: EventPayloads['step.waiting']): EventText {
  return say('warn', outageText({ reason, tries, until }));
}

type Outage = Pick<OutageView, 'reason' | 'tries' | 'until'>;

/** `the provider`, by what the reason begins with. */
export const whoIsDown = (reason: string): string =>
  reason.startsWith('tool.') ? 'the server of a tool' : 'the provider';

/** `2026-01-02 03:04:05 UTC`, of an ISO 8601 time in UTC. */
export const untilText = (iso: string): string => `${oneLine(iso.slice(0, 19).replace('T', ' '), 19)} UTC`;

/** `the provider is down (provider.network, try 2): waits until 2026-01-02 03:04:05 UTC`. */
export const outageText = ({ reason, tries, until }: Outage): string =>
  `${whoIsDown(reason)} is down (${oneLine(reason)}, try ${tries}): waits until ${untilText(until)}`;

/** The longest wait of a run in words, and how many steps wait beside it; null = none does. */
export function outagesText({ outages }: Pick<RunView, 'outages'>): string | null {
  const [last, ...others] = Object.values(outages).sort((a, b) => (a.until < b.until ? 1 : -1));
  if (last === undefined) return null;
  return `${outageText(last)}${others.length === 0 ? '' : `, and ${others.length} more`}`;
}
