import type { App } from '../app/app.js';
import { KitError } from '../domain/errors.js';
import type { ProcessIo, StdoutGuard } from './process-io.js';
import type { ProcessSettings } from './process-settings.js';
import type { Screens } from './screens.js';

/** A server that answers, as commands see it. */
export interface RemoteServer {
  readonly app: App;
  /** Scheme, host and path. */
  readonly address: string;
  /** Id of the workspace that it serves. */
  readonly workspace: string;
  /** Who asks, as the server knows them. */
  readonly identity: string;
  /** How somebody else acts there, as a sentence. */
  readonly otherwise: string;
}

/** Pages, on the machine of the person who types. */
export interface Browser {
  /** False: no browser could be started. */
  open(url: URL): Promise<boolean>;
  /**
   * Who answers below the address, within two seconds. `other`: not kit, or what stands before it
   * and wants a login first.
   */
  whoAnswers(base: string): Promise<'kit' | 'other' | 'nobody'>;
}

/** What boot hands to every command through oclif's load options. */
export interface CliHost {
  /** The application; built at the first call. */
  readonly kit: () => App;
  /**
   * A server in place of a directory. `command`: which command asks, for what a server cannot do.
   * Throws KIT_USAGE for what is not an address, KIT_SERVER_*, and what the server refuses with.
   */
  readonly connect: (server: string, command: string) => Promise<RemoteServer>;
  readonly browser: Browser;
  readonly settings: ProcessSettings;
  readonly io: ProcessIo;
  readonly stdout: StdoutGuard;
  readonly screens: Screens;
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
