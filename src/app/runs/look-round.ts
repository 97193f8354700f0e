import type { Log } from '../../domain/ports/system.js';
import { warnOfLacks } from './lacking-at-start.js';
import type { RunSession } from './run-session.js';

/**
 * What a server or worker does before its first run: it says what it lacks, and removes the
 * containers that dead processes left on this machine.
 */
export async function lookRound(session: RunSession, log: Pick<Log, 'warn'>): Promise<void> {
  const [removed] = await Promise.all([session.sweepContainers(), warnOfLacks(session, log)]);
  if (removed > 0) log.warn('containers that a dead process of kit had left were removed', { removed });
}
