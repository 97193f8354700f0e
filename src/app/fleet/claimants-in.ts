import { messageOf } from '../../domain/errors.js';
import type { Log } from '../../domain/ports/system.js';
import type { Claimant } from '../runs/blocked-by.js';
import { ALIVE_MS } from './heartbeat.js';
import { claimantsOf } from './missing-everywhere.js';
import type { FleetReadDeps } from './queue-stats.js';

/**
 * Who could claim a run of a workspace now. A fleet whose rows cannot be read is one of which
 * nothing is known.
 */
export async function claimantsIn(
  { openFleet, log }: Pick<FleetReadDeps, 'openFleet'> & { readonly log: Pick<Log, 'debug'> },
  workspace: string,
): Promise<readonly Claimant[]> {
  try {
    return claimantsOf(await (await openFleet(workspace)).list(ALIVE_MS));
  } catch (error) {
    log.debug('the rows of the fleet could not be read', {
      error: messageOf(error),
    });
    return [];
  }
}
