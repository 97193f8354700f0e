import type { JsonObject } from '../../../domain/json.js';
import type { EventLog } from '../../../domain/ports/event-log.js';
import type { Metric } from '../../../domain/ports/metrics.js';
import type { EventSink } from '../../../domain/ports/sinks.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { Clock, Log } from '../../../domain/ports/system.js';
import type { Workspace } from '../../../domain/workspace.js';
import type { SinkDelivery } from '../events-app.js';
import { typesCalled } from '../read-log.js';
import { createLead } from './lead.js';
import { measureLast, runMeasures } from './measure-loop.js';
import { type RunningSink, runSink } from './sink-loop.js';

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

/** See `EventsApp.startSinks`. */
export async function startDelivery(
  stores: Pick<Stores, 'events' | 'jobs' | 'serving'>,
  deps: SinkDeps,
): Promise<SinkDelivery> {
  const { clock, log, holder, random } = deps;
  const { events, jobs, serving } = stores;
  const { id } = await deps.current();
  const opened = await Promise.all(openEach(deps, await deps.current(), []));
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
  let running = opened.map(start);
  const keeping = lead.keep(ending.signal);
  return {
    counters: () => running.map(({ sink }) => sink.counters),
    reload: async () => {
      if (ending.signal.aborted) return;
      const before = running;
      const next = await openThere(
        deps,
        before.map(({ sink }) => sink),
      );
      // A sink that is new begins now, not where the term did.
      const term = lead.term();
      const after = await events.headCursor();
      running = next.map((sink) => {
        const kept = before.find((one) => one.sink === sink);
        if (kept !== undefined) return kept;
        sink.place = term === null ? null : { term, after };
        return start(sink);
      });
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
 * The same settings at the same place are the same sink, which keeps its place in the log; what it
 * delivers with is that of the workspace as it stands.
 */
function openEach(
  deps: Pick<SinkDeps, 'openSink'>,
  { sinks, server: { publicUrl } }: ServedSinks,
  before: readonly RunningSink[],
): readonly Promise<RunningSink>[] {
  return sinks.map(async (settings, index): Promise<RunningSink> => {
    const key = `${index} ${publicUrl} ${JSON.stringify(settings)}`;
    const kept = before.find((one) => one.key === key);
    const sink = await deps.openSink(settings.sink, settings.config);
    if (kept !== undefined) return Object.assign(kept, { sink });
    const name = nameOf(settings, index);
    const counters = { sink: name, delivered: 0, rejected: 0, failed: 0, skips: 0 };
    return { key, name, publicUrl, sink, types: typesCalled(settings.types), counters, place: null };
  });
}

const nameOf = ({ sink }: ServedSinks['sinks'][number], index: number): string => `${sink}#${index}`;

/** A server that is up goes on without a sink that cannot be opened, as without a trigger. */
async function openThere(deps: SinkDeps, before: readonly RunningSink[]): Promise<readonly RunningSink[]> {
  const current = await deps.current();
  const opening = await Promise.allSettled(openEach(deps, current, before));
  return opening.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [one.value];
    const settings = current.sinks[index];
    if (settings !== undefined) logClosed(deps.log, nameOf(settings, index), one.reason);
    return [];
  });
}

function logClosed(log: Log, name: string, reason: unknown): void {
  const why = reason instanceof Error ? reason.message : String(reason);
  log.error(`event sink ${name} is off until the next reload: ${why}`, { sink: name });
}
