import type { Clock, Log } from '../domain/ports/system.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  /** Lines below this level are dropped; default `warn`: a tool that works says nothing. */
  readonly level?: LogLevel;
  readonly clock: Pick<Clock, 'now'>;
  /** Takes one line with its newline: for stderr, because stdout belongs to results. */
  readonly write: (line: string) => void;
}

/** Lines `2026-01-02T03:04:05.678Z warn message {"key":"value"}`. */
export function createLog(options: LogOptions): Log {
  const threshold = LOG_LEVELS.indexOf(options.level ?? 'warn');
  const { write } = options;
  const at = (level: LogLevel) => (message: string, data?: Readonly<Record<string, unknown>>) => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const time = new Date(options.clock.now()).toISOString();
    write(`${time} ${level} ${withoutBreaks(message)}${data === undefined ? '' : ` ${encode(data)}`}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A message that carries a newline must not pass for two lines. */
function withoutBreaks(message: string): string {
  return message.replace(/[\r\n]+/g, ' ');
}

function encode(data: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(data, (_key, value: unknown) => {
      if (value instanceof Error) return value.message;
      return typeof value === 'bigint' ? value.toString() : value;
    });
  } catch {
    return '{"unloggable":true}';
  }
}
