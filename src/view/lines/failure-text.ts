import type { EventPayloads } from '../../domain/generated/events.js';
import type { Json } from '../../domain/json.js';
import { type EventText, name, say } from './say.js';
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

/** A run that waits for a provider says why, and when it goes on. */
export function waitingText({ reason, tries, until }: EventPayloads['step.waiting']): EventText {
  const at = until.slice(0, 19).replace('T', ' ');
  return say('warn', `the provider is down (${name(reason)}, try ${tries}): waits until ${name(at)} UTC`);
}
