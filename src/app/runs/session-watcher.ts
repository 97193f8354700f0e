import type { Stores } from '../../domain/ports/stores.js';
import { onwardTime } from '../../domain/ports/system.js';
import type { WaitWatcher } from '../../worker/work-loop.js';
import type { RunSession } from './run-session.js';
import type { SessionWork, SessionWorkDeps } from './session-work.js';

/** What a watcher of a session stands on; the session is asked anew, a reload replaces it. */
export interface WatchOf {
  readonly work: SessionWork;
  readonly stores: Stores;
  readonly session: () => RunSession;
}

/** Between two looks for waits where the workspace names no agent that runs elsewhere. */
const RARE_LOOK_MS = 30_000;

/**
 * The watcher of a process over what its runs wait for at agents elsewhere. A workspace that names
 * none costs a look now and then: a run of before may still wait for one.
 */
export function sessionWatcher(deps: Pick<SessionWorkDeps, 'clock' | 'log'>, of: WatchOf): WaitWatcher {
  const { clock } = deps;
  const { work, session } = of;
  const waits = of.stores.remoteWaits;
  const time = onwardTime(clock);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const isCalled = (): boolean => {
    if (!callsElsewhere(session()) && time() - lookedAtMs < RARE_LOOK_MS) return false;
    lookedAtMs = time();
    return true;
  };
  const opening = async () => {
    const { RemoteWatcher } = await import('../../worker/remote/remote-watcher.js');
    return new RemoteWatcher({
      ...deps,
      waits: {
        due: async (limit) => (isCalled() ? waits.due(limit) : []),
        hold: (held, leaseMs) => waits.hold(held, leaseMs),
        settle: (wait, how) => waits.settle(wait, how),
      },
      tasks: () => session().remoteTasks,
      offers: (needs) => work.offers(session(), needs),
    });
  };
  let opened: ReturnType<typeof opening> | undefined;
  return {
    start: () => {
      opened = opening();
      void opened.then((watcher) => watcher.start());
    },
    wake: () => void opened?.then((watcher) => watcher.wake()),
    close: async () => (await opened)?.close(),
  };
}

const callsElsewhere = ({ workspace }: RunSession): boolean =>
  [...workspace.skills.values()].some(
    ({ implementation }) => implementation.type === 'agent' && implementation.cardUrl !== null,
  );
