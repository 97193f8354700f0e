import { KitError, type ServerOptions } from '@kit-run/kit/command';

const MAX_PORT = 65_535;

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

function wholeNumber(text: string, { flag, max }: { readonly flag: string; readonly max: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new KitError('KIT_USAGE', `--${flag} takes a whole number from 0 to ${max}, not "${text}"`);
  return value;
}

/** An origin as browsers send it: scheme, host and a port that is not the scheme's own. Anything else would match nothing. */
function originOf(text: string): string {
  if (text === '*') return text;
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (/^https?:/.test(origin) && origin === text) return text;
  const hint = origin === 'null' || !/^https?:/.test(origin) ? 'Write it as https://app.example, or *.' : `Write ${origin}.`;
  throw new KitError('KIT_USAGE', `--cors-origin ${text} is no origin that a browser sends`, { hint });
}

/** Throws KIT_USAGE for a value that is none, and KIT_NOT_YET for the role that needs workers. */
export function parseServeFlags(flags: ServeFlags, workspace: string): ServerOptions {
  if (flags.role === 'api')
    throw new KitError('KIT_NOT_YET', '--role api leaves every run to workers, and this release has no `kit worker`', {
      hint: 'Start without --role: the server executes its runs itself.',
    });
  // Counts for --role api alone; checked all the same, so that a slip does not wait for the day the role comes.
  wholeNumber(flags['max-queue-depth'] ?? '10000', { flag: 'max-queue-depth', max: 999_999_999 });
  return {
    workspace,
    host: flags.host ?? null,
    port: flags.port === undefined ? null : wholeNumber(flags.port, { flag: 'port', max: MAX_PORT }),
    profile: flags.profile === 'production' ? 'production' : 'standard',
    insecure: flags.insecure,
    corsOrigins: (flags['cors-origin'] ?? []).map(originOf),
  };
}
