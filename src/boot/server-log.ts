import type { Log } from '../domain/ports/system.js';
import type { AppParts } from './parts.js';

/** The log of a server says what it does; that of a command only what went wrong. */
export async function openServerLog({ logLines, settings }: Pick<AppParts, 'logLines' | 'settings'>): Promise<Log> {
  const [{ createLog }, { createClock }] = await Promise.all([
    import('../system/log.js'),
    import('../system/clock.js'),
  ]);
  return createLog({
    clock: createClock(),
    level: settings.verbose ? 'debug' : settings.quiet ? 'warn' : 'info',
    write: logLines.write,
  });
}
