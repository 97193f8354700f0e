import { messageOf } from '../domain/errors.js';
import type { Clock, Log } from '../domain/ports/system.js';
import type { Firing, TriggerSpec, TriggerType } from '../domain/ports/triggers.js';

/** What firing by itself needs; everything comes from outside. */
export interface TriggerRunnerDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Loads the type of a trigger. A throw makes this trigger inactive. */
  readonly open: (trigger: TriggerSpec) => Promise<TriggerType>;
  /** Starts the targets. What it throws is logged: a timer never sees it. */
  readonly fire: (trigger: TriggerSpec, firing: Firing) => Promise<unknown>;
}

/** The triggers of one served workspace. */
export interface TriggerRunner {
  /** Why a trigger that was to start did not, by id. */
  readonly inactive: ReadonlyMap<string, string>;
  /** Nothing fires any more; resolves when what was being fired has ended. Idempotent. */
  stop(): Promise<void>;
}

/**
 * A trigger that takes longer to listen (a large tree of files) goes on starting and does not hold
 * up the server.
 */
const START_LIMIT_MS = 10_000;

/**
 * Starts every enabled trigger; resolves when each listens or is known to be inactive. Triggers do
 * not know each other: one that cannot start, hangs or throws keeps none of the others from firing.
 */
export async function startTriggers(
  deps: TriggerRunnerDeps,
  { workspaceRoot, triggers }: { readonly workspaceRoot: string; readonly triggers: readonly TriggerSpec[] },
): Promise<TriggerRunner> {
  const stopping = new AbortController();
  const inactive = new Map<string, string>();
  const firing = new Set<Promise<unknown>>();

  async function fire(trigger: TriggerSpec, shot: Firing): Promise<void> {
    if (stopping.signal.aborted) return;
    const work = Promise.resolve()
      .then(() => deps.fire(trigger, shot))
      .catch((error: unknown) =>
        deps.log.error(`trigger ${trigger.id} failed to fire: ${messageOf(error)}`, { trigger: trigger.id }),
      );
    firing.add(work);
    await work;
    firing.delete(work);
  }

  function note(trigger: TriggerSpec, reason: string): void {
    inactive.set(trigger.id, reason);
    deps.log.error(`trigger ${trigger.id} is inactive: ${reason}`, { trigger: trigger.id });
  }

  async function listen(trigger: TriggerSpec): Promise<void> {
    try {
      const type = await deps.open(trigger);
      const reason = await type.ready({ workspaceRoot });
      if (reason !== null) return note(trigger, reason);
      await type.start?.({
        triggerId: trigger.id,
        workspaceRoot,
        signal: stopping.signal,
        fire: (shot) => fire(trigger, shot),
      });
      inactive.delete(trigger.id);
    } catch (error) {
      note(trigger, messageOf(error));
    }
  }

  async function start(trigger: TriggerSpec): Promise<void> {
    const listening = new AbortController();
    const late = deps.clock.sleep(START_LIMIT_MS, AbortSignal.any([listening.signal, stopping.signal])).then(
      () => note(trigger, 'it is still starting'),
      () => undefined, // it listens, or the server stops
    );
    await Promise.race([listen(trigger), late]);
    listening.abort();
  }

  await Promise.all(triggers.filter(({ enabled }) => enabled).map(start));
  return {
    inactive,
    stop: async () => {
      stopping.abort();
      await Promise.all(firing);
    },
  };
}
