import type { Job } from '../../domain/job.js';

/** `850 ms`, `4.2 s`, `3 min 05 s`, `2 h 07 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `2030-01-02 03:04:05Z`: times of the log are UTC and say so. */
export const timeText = (iso: string | null): string =>
  iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;

/** How long ago, in one plain unit: `57 s`, `12 min`, `3 h`, `5 days`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** `cost unknown` for null: an unknown cost is never shown as 0. */
export function costText(usd: number | null): string {
  if (usd === null) return 'cost unknown';
  if (usd === 0) return '$0';
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

/** `1.2k in, 340 out`. */
export const tokensText = (usage: { readonly inputTokens: number; readonly outputTokens: number }): string =>
  `${shortNumber(usage.inputTokens)} in, ${shortNumber(usage.outputTokens)} out`;

/**
 * `, cache saved $0.12, in part estimated`, as far as it is so. A loss, which the first call of a
 * conversation makes, is nothing that was saved.
 */
export function usageNotes(usage: {
  readonly estimated?: true | undefined;
  readonly savedUsd?: number | undefined;
}): string {
  const { estimated, savedUsd = 0 } = usage;
  const saved = savedUsd > 0 ? `, cache saved ${costText(savedUsd)}` : '';
  return `${saved}${estimated === true ? ', in part estimated' : ''}`;
}

/** `340`, `1.2k`, `3.4M`. */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  return value < 999_950 ? `${(value / 1_000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

export const bytesText = (bytes: number): string =>
  bytes < 1_024
    ? `${bytes} bytes`
    : bytes < 1_048_576
      ? `${(bytes / 1_024).toFixed(1)} KiB`
      : bytes < 1_073_741_824
        ? `${(bytes / 1_048_576).toFixed(1)} MiB`
        : `${(bytes / 1_073_741_824).toFixed(1)} GiB`;

/** `1 test`, `2 tests`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Escape sequences of terminals: colours, cursor moves, titles, links. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|[\u001b\u009b]\[?[0-?]*[ -/]*[@-~]/g;
/** Other control characters, line separators, and marks that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/**
 * Text of models, tools and harnesses as one line that a terminal only prints: it cannot move the
 * cursor, change the title or colour what follows. Longer than `max`, it is cut with an ellipsis.
 */
export function oneLine(text: string, max = 160): string {
  const plain = text.replace(SEQUENCES, '').replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim();
  return plain.length <= max
    ? plain
    : `${plain
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

/** Several lines of such text: line breaks stay, everything else goes as in `oneLine`. */
export const manyLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(SEQUENCES, '').replaceAll('\t', '    ').replace(CONTROLS, ''))
    .join('\n');

/** The model that was asked, and the fallback that answered in its place. */
export function servedText({
  model,
  served_by: by,
}: {
  readonly model: string;
  readonly served_by?: { readonly provider: string; readonly model: string };
}): string {
  const asked = oneLine(model, MAX_NAME_CHARS);
  return by === undefined ? asked : `${asked}, served by ${oneLine(`${by.provider}/${by.model}`, MAX_NAME_CHARS)}`;
}

const MAX_NAME_CHARS = 200;

/** What came of asking a run to stop, of which people are told. */
export interface Stopping {
  readonly job: Pick<Job, 'id' | 'status' | 'stopRequestedAt'>;
  readonly alreadyRequested: boolean;
  readonly outcome: 'requested' | 'stopped' | 'finished';
}

/** One sentence; whoever tells it adds how the run goes on, where it can. */
export function stopWords({ job, outcome, alreadyRequested }: Stopping): {
  readonly text: string;
  readonly goesOn: boolean;
} {
  const run = `run ${job.id}`;
  if (outcome === 'finished') return { text: `${run} is ${job.status}; there is nothing to stop`, goesOn: false };
  if (outcome === 'stopped') return { text: `${run} is stopped`, goesOn: true };
  if (alreadyRequested)
    return { text: `${run} was already asked to stop at ${timeText(job.stopRequestedAt)}`, goesOn: false };
  return { text: `${run} stops once its steps in flight have ended, calls of models at once`, goesOn: true };
}
