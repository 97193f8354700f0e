import {
  defineTrigger,
  type JsonObject,
  KitError,
  messageOf,
  type PluginContext,
  type TriggerContext,
  type TriggerType,
} from '@kit-run/kit/plugin';
import { openSchedule, type Schedule } from './cron/next-instant.js';
import { DEFAULTS } from './generated/defaults.js';

/**
 * Timers of the runtime end at 24 days, and those of a machine that was suspended come late: the
 * clock is asked anew this often.
 */
const MAX_SLEEP_MS = 30_000;
/**
 * A time that is further back was missed (the machine slept), and missed times are not made up for
 * (docs/design/decisions.md#missed-times).
 */
const MISSED_AFTER_MS = 60_000;

/** A clock that is corrected by less than this comes by the next time again soon enough. */
const SET_BACK_MS = 60_000;

const isoOf = (instantMs: number): string => new Date(instantMs).toISOString();

/** Where no zone is named, servers of one database must agree: never the zone of the machine. */
function scheduleOf({ expression, timezone }: JsonObject): Schedule {
  try {
    return openSchedule(String(expression), typeof timezone === 'string' ? timezone : DEFAULTS.cron.timezone);
  } catch (error) {
    throw new KitError('KIT_PLUGIN_CONFIG_INVALID', `the schedule of the trigger is none: ${messageOf(error)}`);
  }
}

/** What one trigger waits for and hands on. */
interface Ticking {
  readonly schedule: Schedule;
  readonly config: JsonObject;
  readonly plugin: Pick<PluginContext, 'clock' | 'log'>;
}

async function tick({ schedule, config, plugin }: Ticking, { fire, signal, triggerId }: TriggerContext): Promise<void> {
  const { clock, log } = plugin;
  let dueMs = schedule.after(clock.now());
  while (dueMs !== null) {
    const leftMs = dueMs - clock.now();
    if (leftMs > 0) {
      const askedMs = clock.now();
      await clock.sleep(Math.min(leftMs, MAX_SLEEP_MS), signal);
      // A clock that was ahead names times that are far away now; those that have come are taken.
      if (askedMs - clock.now() > SET_BACK_MS) dueMs = schedule.after(clock.now());
      continue;
    }
    if (signal.aborted) return;
    const occurrence = isoOf(dueMs);
    // Not waited for: a start that takes long must not move the next time.
    if (clock.now() - dueMs <= MISSED_AFTER_MS)
      void fire({ input: config.input ?? `trigger:${triggerId}`, occurrence });
    else log.warn('a time of a cron trigger was missed', { trigger: triggerId, occurrence });
    dueMs = schedule.after(Math.max(dueMs, clock.now()));
  }
}

function create(config: JsonObject, plugin: PluginContext): TriggerType {
  const schedule = scheduleOf(config);
  const next = (): number | null => schedule.after(plugin.clock.now());
  return {
    ready: async () => (next() === null ? 'its expression names a time that never comes' : null),
    nextFireAt: async () => {
      const nextMs = next();
      return nextMs === null ? null : isoOf(nextMs);
    },
    start: async (context) => {
      void tick({ schedule, config, plugin }, context).catch((error: unknown) => {
        if (!context.signal.aborted)
          plugin.log.error('a cron trigger has stopped', { trigger: context.triggerId, error: String(error) });
      });
    },
  };
}

/** Trigger type `cron`. The occurrence is the instant, so that one of several servers fires. */
export const contribution = defineTrigger({ create });
