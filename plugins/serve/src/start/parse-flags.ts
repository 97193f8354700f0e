import { KitError, type ServerOptions, wholeNumber } from '@kit-run/kit/command';

const MAX_PORT = 65_535;
const MAX_QUEUE_DEPTH = 999_999_999;
/** Runs that may wait for workers (docs/design/decisions.md#server-defaults). */
const DEFAULT_QUEUE_DEPTH = 10_000;

/** What was typed, as the parser hands it over. */
export interface ServeFlags {
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly role: string;
  readonly 'max-queue-depth'?: string | undefined;
  readonly profile: string;
  readonly insecure: boolean;
  readonly 'cors-origin'?: readonly string[] | undefined;
}

/**
 * An origin as browsers send it: scheme, host and a port that is not the scheme's own. Anything
 * else would match nothing.
 */
function originOf(text: string): string {
  if (text === '*') return text;
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (/^https?:/.test(origin) && origin === text) return text;
  const hint =
    origin === 'null' || !/^https?:/.test(origin) ? 'Write it as https://app.example, or *.' : `Write ${origin}.`;
  throw new KitError('KIT_USAGE', `--cors-origin ${text} is not an origin that a browser sends`, { hint });
}

/** Runs that may wait; 0 = any number. Throws KIT_USAGE, also where nothing would ask. */
function maxQueued(text: string | undefined, role: string): number | null {
  if (text !== undefined && role !== 'api')
    throw new KitError(
      'KIT_USAGE',
      '--max-queue-depth bounds the runs that wait for workers, and without --role api none does',
      {
        hint: 'Add --role api, or leave --max-queue-depth out: server.jobs.max_concurrent bounds a server that executes its runs.',
      },
    );
  return wholeNumber(text ?? String(DEFAULT_QUEUE_DEPTH), { flag: 'max-queue-depth', max: MAX_QUEUE_DEPTH }) || null;
}

/** Throws KIT_USAGE for a value that is none. */
export function parseServeFlags(flags: ServeFlags, workspace: string): ServerOptions {
  return {
    workspace,
    role: flags.role === 'api' ? 'api' : 'all',
    maxQueued: maxQueued(flags['max-queue-depth'], flags.role),
    host: flags.host ?? null,
    port: flags.port === undefined ? null : wholeNumber(flags.port, { flag: 'port', max: MAX_PORT }),
    profile: flags.profile === 'production' ? 'production' : 'standard',
    insecure: flags.insecure,
    corsOrigins: (flags['cors-origin'] ?? []).map(originOf),
  };
}
