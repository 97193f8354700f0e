import type { StoredEvent } from '../../domain/events.js';
import type { Json } from '../../domain/json.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import type { ReportedEnd } from '../../domain/reported-end.js';
import { type OutageView, waitOf } from '../outage-view.js';
import type { RunView } from '../run-view.js';
import { because, type EventText, say, whisper } from './say.js';
import type { Tone } from './tone.js';
import { durationText, oneLine } from './words.js';

/** Of a message that the log holds in short; its end may be missing. */
const MESSAGE = /"message":"((?:[^"\\]|\\.)*)/;

/** A line of a terminal has room for the beginning; `kit debug` shows the whole. */
const MAX_CHARS = 160;

/**
 * Why a call failed: its reason, and what was said about it as far as the log holds it
 * (`audit.detail`).
 */
export function failureText(reason: string | null, outputs: unknown): string {
  const said = saidOf(outputs);
  const short = reason === null ? '' : `: ${oneLine(reason)}`;
  return said === '' ? short : `${short} (${said})`;
}

/** What was said about a failure, on one line; '' = nothing, or the log does not hold it. */
export const saidOf = (outputs: unknown): string => oneLine(messageOf(outputs), MAX_CHARS);

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

/** A run that waits for another side says why, and when it goes on. */
export function waitText(event: Extract<StoredEvent, { type: 'step.waiting' | 'step.admitted' }>): EventText {
  return event.type === 'step.waiting'
    ? say('warn', outageText(waitOf(event.payload)))
    : whisper(`waited ${durationText(event.payload.waited_ms)} for the provider to take its call`);
}

type Outage = Omit<OutageView, 'agentId'>;

/** `the provider ollama`, by what the reason begins with. */
export function whoIsDown({ reason, name }: Pick<Outage, 'reason' | 'name'>): string {
  const isTool = reason.startsWith('tool.');
  if (name === undefined) return isTool ? 'the server of a tool' : 'the provider';
  return `${isTool ? 'the tool server' : 'the provider'} ${oneLine(name, 60)}`;
}

/** `2026-01-02 03:04:05 UTC`, of an ISO 8601 time in UTC. */
export const untilText = (iso: string): string => `${oneLine(iso.slice(0, 19).replace('T', ' '), 19)} UTC`;

/** Why a call has no answer yet (`limit.in_flight`, an agent works); null = something is down. */
export function limitText({ reason, until, remote }: Omit<Outage, 'tries'>): string | null {
  if (remote !== undefined) return remoteText(remote);
  const when = until === null ? '' : ` until ${untilText(until)}`;
  switch (reason) {
    case 'limit.in_flight':
      return 'waits for a call to end: the provider takes no more at the same time';
    case 'limit.requests_per_minute':
      return `waits for the limit on requests a minute${when}`;
    case 'limit.closed':
      return `waits for the provider, which limits the rate${when}`;
    default:
      return null;
  }
}

const MAX_URL_CHARS = 400;

/** What an agent elsewhere is at; its words are a stranger's. */
export function remoteText({ agent, gateUrl }: NonNullable<OutageView['remote']>): string {
  const who = `the agent ${oneLine(agent, 60)} elsewhere`;
  return gateUrl === null
    ? `waits for ${who}, which works`
    : `waits for people of ${who}: ${oneLine(gateUrl, MAX_URL_CHARS)}`;
}

/** `run 0f3c... of front waits for people of the agent Desk elsewhere: https://...` */
export const elsewhereText = ({ jobId, topology, agent, gateUrl }: GateElsewhere): string =>
  `run ${oneLine(jobId, 64)} of ${oneLine(topology, 40)} ${remoteText({ agent, gateUrl })}`;

/** `the provider ollama is down (provider.network, try 2): waits until 2026-01-02 03:04:05 UTC`. */
export function outageText({ reason, tries, until, ...of }: Outage): string {
  const limit = limitText({ reason, until, ...of });
  const when = until === null ? '' : `: waits until ${untilText(until)}`;
  return limit ?? `${whoIsDown({ reason, ...of })} is down (${oneLine(reason)}, try ${tries})${when}`;
}

/** The longest wait of a run in words, and how many steps wait beside it; null = none does. */
export function outagesText({ outages }: Pick<RunView, 'outages'>): string | null {
  const [last, ...others] = Object.values(outages).sort((a, b) => ((a.until ?? '') < (b.until ?? '') ? 1 : -1));
  if (last === undefined) return null;
  return `${outageText(last)}${others.length === 0 ? '' : `, and ${others.length} more`}`;
}

/** How a run ended, or that it was stopped. */
export function endText({ status, reason, error }: ReportedEnd): EventText {
  const tone: Tone = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'warn';
  return say(tone, `run ${status}${because(reason)}${error === null ? '' : ` (${oneLine(error, 400)})`}`);
}
