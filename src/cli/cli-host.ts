import type { App } from '../app/app.js';
import { KitError } from '../domain/errors.js';
import type { ProcessSettings } from './kit-command.js';
import type { ProcessIo, StdoutGuard } from './process-io.js';
import type { Renderers } from './renderers.js';

/** What boot hands to every command through oclif's load options. */
export interface CliHost {
  /** The front door; built at the first call. */
  readonly kit: () => App;
  readonly settings: ProcessSettings;
  readonly io: ProcessIo;
  readonly stdout: StdoutGuard;
  /** What shows text; each part costs nothing before it is asked for. */
  readonly renderers: Renderers;
}

/**
 * What boot handed over, in oclif's `Config`. Throws KIT_INTERNAL for one that kit did not make.
 */
export function cliHostOf(config: object): CliHost {
  const options = 'options' in config ? config.options : null;
  if (
    typeof options !== 'object' ||
    options === null ||
    !('kit' in options && 'settings' in options && 'io' in options)
  )
    throw new KitError('KIT_INTERNAL', 'this command was started outside kit');
  return options as CliHost; // boot passes it as a load option; oclif types its own options alone
}
