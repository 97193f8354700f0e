import { resolve } from 'node:path';
import { KitError, type StartRun } from '@kit-run/kit/command';

/** `--label k=v`, repeated. Throws KIT_LABEL_INVALID before anything runs. */
export function parseLabels(texts: readonly string[]): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at <= 0) throw new KitError('KIT_LABEL_INVALID', `--label ${text} is not of the form key=value`);
    const key = text.slice(0, at);
    if (Object.hasOwn(labels, key)) throw new KitError('KIT_LABEL_INVALID', `--label ${key} is given twice`);
    labels[key] = text.slice(at + 1);
  }
  return labels;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `--timeout 90`, `90s`, `5m`, `2h`: milliseconds. A bare number is seconds. Throws KIT_USAGE. */
export function parseTimeout(text: string): number {
  const value = millisecondsOf(text);
  if (!(value > 0)) throw noTime('timeout', text);
  return Math.round(value);
}

/**
 * `--patience`, written like `--timeout`; 0 = none. In whole seconds, as the run keeps it. Without
 * the flag a terminal leaves it to KIT_OUTAGE_PATIENCE_S. Throws KIT_USAGE.
 */
export function parsePatience(text: string | undefined, isAttended: boolean): Pick<StartRun, 'patience'> {
  if (text === undefined) return isAttended ? {} : { patience: 'unattended' };
  const value = millisecondsOf(text);
  if (Number.isNaN(value)) throw noTime('patience', text);
  return { patience: Math.ceil(value / 1000) };
}

/** NaN for what is not a time. */
function millisecondsOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  const value = match === null ? Number.NaN : Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1000);
  return Number.isFinite(value) ? value : Number.NaN;
}

const noTime = (flag: string, text: string): KitError =>
  new KitError('KIT_USAGE', `--${flag} ${text} is not a time`, { hint: 'Write seconds, or 90s, 5m, 2h.' });

interface CassetteFlags {
  readonly input?: string | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
}

/** A replay without --input asks what was asked then; stdin is left alone. */
export const isInputRecorded = (flags: CassetteFlags): boolean =>
  flags.replay !== undefined && flags.input === undefined;

/** The file that `--record` or `--replay` names, from `cwd` on; neither = no cassette. */
export function cassetteOf(flags: CassetteFlags, cwd: string): Pick<StartRun, 'cassette'> {
  const file = (path: string): string => resolve(cwd, path);
  if (flags.record !== undefined) return { cassette: { kind: 'record', file: file(flags.record) } };
  if (flags.replay === undefined) return {};
  return { cassette: { kind: 'replay', file: file(flags.replay), isInputRecorded: isInputRecorded(flags) } };
}
