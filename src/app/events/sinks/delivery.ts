import { messageOf } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { EventLog } from '../../../domain/ports/event-log.js';
import type { Metric } from '../../../domain/ports/metrics.js';
import type { EventSink } from '../../../domain/ports/sinks.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { Clock, Log } from '../../../domain/ports/system.js';
import type { SinkSettings } from '../../../domain/server-settings.js';
import type { Workspace } from '../../../domain/workspace.js';
import { type DelayBounds, growingDelayMs } from '../../../lib/growing-delay.js';
import type { SinkDelivery } from '../events-app.js';
import { typesCalled } from '../read-log.js';
import { createLead } from './lead.js';
import { measureLast, runMeasures } from './measure-loop.js';
import { type RunningSink, runSink } from './sink-loop.js';

/**
 * Between two tries of what a reload could not open: a login or a receiver is back by then, and
 * nobody is asked more than once a minute.
 */
const AGAIN: DelayBounds = { firstMs: 1000, lastMs: 60_000 };

/** What of a workspace its sinks are made from. */
export interface ServedSinks extends Pick<Workspace, 'id' | 'sinks'> {
  readonly server: Pick<Workspace['server'], 'publicUrl'>;
}

export interface SinkDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Tells this process from every other one. */
  readonly holder: string;
  /** The workspace as it stands now, which after a reload is another one. */
  readonly current: () => Promise<ServedSinks>;
  /** Throws KIT_PLUGIN_* and KIT_CREDENTIAL_UNRESOLVED. */
  readonly openSink: (name: string, config: JsonObject) => Promise<EventSink>;
  /**
   * Where a server begins that takes over from another one. Default: with what is new, because what
   * was committed in between can be read from the log.
   */
  readonly takeOver?: (events: Pick<EventLog, 'headCursor' | 'read' | 'readNewest'>) => Promise<string>;
  /** What a sink that cannot be opened does to the begin of the delivery; a reload tries again. */
  readonly atStart: 'refuse' | 'try again';
  /** Name of the lead among the servers of a workspace: `<name>:<workspace id>`. */
  readonly lead: string;
  /** The figures of `/metrics`, as they are now. */
  readonly figures: () => Promise<readonly Metric[]>;
}

/** One sink under way. */
interface Delivering {
  readonly sink: RunningSink;
  readonly halt: () => Promise<void>;
}

/** A sink as the files name it, opened or not. */
interface Planned {
  readonly settings: SinkSettings;
  /** Kept from before the reload where the settings are the same. */
  readonly state: Omit<RunningSink, 'sink'>;
  readonly isNew: boolean;
}

/** See `EventsApp.startSinks`. */
export async function startDelivery(
  stores: Pick<Stores, 'events' | 'jobs' | 'serving'>,
  deps: SinkDeps,
): Promise<SinkDelivery> {
  const { clock, log, holder, random } = deps;
  const { events, jobs, serving } = stores;
  const current = await deps.current();
  const { id } = current;
  const first = await openEach(deps, plan(current, []));
  if (deps.atStart === 'refuse' && first.failed[0] !== undefined) throw first.failed[0].reason;
  const begin = async (isTakeover: boolean): Promise<string> =>
    isTakeover && deps.takeOver !== undefined ? deps.takeOver(events) : events.headCursor();
  const lead = createLead({ serving, begin, clock, log, name: `${deps.lead}:${id}`, holder });
  const ending = new AbortController();
  const start = (sink: RunningSink): Delivering => {
    const own = new AbortController();
    // The signal also stands for the follower of the log: each sink needs one of its own.
    const signal = AbortSignal.any([ending.signal, own.signal]);
    const done = Promise.all([
      runSink(sink, { events, jobs, clock, random, log, term: lead.term, signal }),
      runMeasures(sink, { clock, log, figures: deps.figures, isLeading: () => lead.term() !== null, signal }),
    ]);
    return {
      sink,
      halt: async () => {
        own.abort();
        await done;
      },
    };
  };
  // What is committed once this has resolved is pushed.
  await lead.renew();
  let running: readonly Delivering[] = [];
  let off: readonly Planned[] = [];
  /** Of the tries of what is off; each reload begins anew. */
  let trying = new AbortController();
  const keeping = lead.keep(ending.signal);
  const tryAgain = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 1; off.length > 0; failures += 1) {
      await clock.sleep(growingDelayMs(failures, AGAIN, random()), signal).catch(() => undefined);
      if (signal.aborted) return;
      const { opened: on, failed } = await openEach(deps, off);
      if (signal.aborted) return;
      off = failed.map(({ planned }) => planned);
      running = [...running, ...on.map(take).map(start)];
      for (const { planned } of on)
        log.warn(`event sink ${planned.state.name} is on again`, { sink: planned.state.name });
    }
  };
  /** A server that is up goes on without a sink that cannot be opened, as without a trigger. */
  const deliver = ({ opened, failed }: OpenedEach): void => {
    for (const { planned, reason } of failed) logOff(log, planned.state.name, reason);
    off = failed.map(({ planned }) => planned);
    running = opened.map(take).map((sink) => running.find((one) => one.sink === sink) ?? start(sink));
    if (off.length > 0) void tryAgain(AbortSignal.any([ending.signal, trying.signal]));
  };
  deliver(first);
  return {
    counters: () => running.map(({ sink }) => sink.counters),
    reload: async () => {
      if (ending.signal.aborted) return;
      trying.abort();
      trying = new AbortController();
      const before = running;
      const planned = plan(await deps.current(), [...before.map(({ sink }) => sink), ...off.map(({ state }) => state)]);
      const next = await openEach(deps, planned);
      // A sink that is new begins now, not where the term did; one that is off goes on from here.
      const term = lead.term();
      const after = await events.headCursor();
      for (const { isNew, state } of planned) if (isNew) state.place = term === null ? null : { term, after };
      deliver(next);
      await Promise.all(before.filter((one) => !running.includes(one)).map(({ halt }) => halt()));
    },
    stop: async () => {
      const isLast = lead.term() !== null && !ending.signal.aborted;
      ending.abort();
      await Promise.all([...running.map(({ halt }) => halt()), keeping]);
      if (isLast)
        await Promise.all(running.map(({ sink }) => measureLast(sink, { clock, log, figures: deps.figures })));
    },
  };
}

/**
 * The same settings at the same place are the same sink, which keeps its place in the log, also
 * while it is off; what it delivers with is that of the workspace as it stands.
 */
function plan({ sinks, server: { publicUrl } }: ServedSinks, before: readonly Planned['state'][]): readonly Planned[] {
  return sinks.map((settings, index): Planned => {
    const key = `${index} ${publicUrl} ${JSON.stringify(settings)}`;
    const kept = before.find((one) => one.key === key);
    if (kept !== undefined) return { settings, state: kept, isNew: false };
    const name = `${settings.sink}#${index}`;
    const counters = { sink: name, delivered: 0, rejected: 0, failed: 0, skips: 0 };
    const state = { key, name, publicUrl, types: typesCalled(settings.types), counters, place: null };
    return { settings, state, isNew: true };
  });
}

/** A sink that opened; whoever still wants it takes it. */
interface Opened {
  readonly planned: Planned;
  readonly sink: EventSink;
}

const open = async ({ openSink }: Pick<SinkDeps, 'openSink'>, planned: Planned): Promise<Opened> => ({
  planned,
  sink: await openSink(planned.settings.sink, planned.settings.config),
});

const take = ({ planned: { state }, sink }: Opened): RunningSink => Object.assign(state, { sink });

interface OpenedEach {
  readonly opened: readonly Opened[];
  readonly failed: readonly { readonly planned: Planned; readonly reason: unknown }[];
}

async function openEach(deps: Pick<SinkDeps, 'openSink'>, all: readonly Planned[]): Promise<OpenedEach> {
  const opened: Opened[] = [];
  const failed: OpenedEach['failed'][number][] = [];
  const outcomes = await Promise.allSettled(all.map((planned) => open(deps, planned)));
  for (const [index, planned] of all.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') opened.push(outcome.value);
    else failed.push({ planned, reason: outcome?.reason });
  }
  return { opened, failed };
}

function logOff(log: Log, name: string, reason: unknown): void {
  log.error(`event sink ${name} is off, and tried again until it opens: ${messageOf(reason)}`, { sink: name });
}
