import { messageOf } from '../../domain/errors.js';
import type { FleetMember, FleetStore } from '../../domain/ports/fleet.js';
import type { Clock, Log } from '../../domain/ports/system.js';

/** Time between two beats. */
export const BEAT_MS = 5_000;
/** Who was heard of within three beats is alive: one may be late, and one lost. */
export const ALIVE_MS = 3 * BEAT_MS;
/** Who has fallen silent is shown as gone for an hour. */
export const FORGET_MS = 60 * 60 * 1_000;
/** A process that ends does not wait longer than this for its row to go. */
const LEAVE_MS = 2_000;

export interface HeartbeatDeps {
  readonly clock: Clock;
  readonly log: Pick<Log, 'debug'>;
  readonly fleet: Pick<FleetStore, 'beat' | 'leave'>;
}

/** The row of one process in the fleet, for as long as it lives. */
export interface Heartbeat {
  /** Registers, and beats every `BEAT_MS` from now on. */
  start(): void;
  /** Tells at once what has changed instead of at the next beat. */
  now(): void;
  /**
   * Beats no more and takes the row out; resolves within a few seconds, whatever the store does.
   */
  stop(): Promise<void>;
}

/**
 * The beats of a process until it is stopped. One that fails is a line of the debug log: nothing of
 * a run depends on it, and the next one says the same.
 */
export function createHeartbeat(
  deps: HeartbeatDeps,
  id: string,
  describe: () => Promise<Omit<FleetMember, 'id'>>,
): Heartbeat {
  const { clock, log, fleet } = deps;
  const over = new AbortController();
  let called = Promise.withResolvers<void>();
  let beating = Promise.resolve();
  const attempt = async (failure: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.debug(failure, { error: messageOf(error) });
    }
  };
  const within = async (ms: number, end: Promise<void>): Promise<void> => {
    const awake = new AbortController();
    await Promise.race([end, clock.sleep(ms, awake.signal).catch(() => undefined)]);
    awake.abort('awake');
  };
  const beat = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await attempt('a heartbeat was lost', async () => fleet.beat({ id, ...(await describe()) }, FORGET_MS));
      await within(BEAT_MS, called.promise);
      called = Promise.withResolvers<void>();
    }
  };
  return {
    start: () => {
      beating = beat();
    },
    now: () => called.resolve(),
    stop: async () => {
      over.abort('stopped');
      called.resolve();
      await within(
        LEAVE_MS,
        beating.then(() => attempt('the row of this process could not be removed', () => fleet.leave(id))),
      );
    },
  };
}
