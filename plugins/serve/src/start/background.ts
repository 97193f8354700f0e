import type {
  EventsApp,
  Metric,
  MetricsApp,
  ServeApp,
  ServeOptions,
  SinkCounters,
  TriggersApp,
} from '@kit-run/kit/command';

const SINK_SERIES = [
  ['kit_sink_delivered_total', 'Events that a sink took.', 'delivered'],
  ['kit_sink_rejected_total', 'Events that a sink would not take.', 'rejected'],
  ['kit_sink_failed_total', 'Events dropped after the last attempt.', 'failed'],
  ['kit_sink_skips_total', 'Times that a sink fell too far behind and skipped to the end of the log.', 'skips'],
] as const;

/** What the background delivery did, a series a sink. */
const sinkMetrics = (sinks: readonly SinkCounters[]): readonly Metric[] =>
  SINK_SERIES.map(([name, help, key]) => ({
    name,
    help,
    kind: 'counter',
    samples: sinks.map((counters) => ({ labels: { sink: counters.sink }, value: counters[key] })),
  }));

/** What works beside the requests of a server. */
export interface BackgroundApps {
  readonly serve: Pick<ServeApp, 'start' | 'drain' | 'onReload'>;
  readonly triggers: Pick<TriggersApp, 'start' | 'stop'>;
  readonly events: Pick<EventsApp, 'startSinks'>;
  readonly metrics: Pick<MetricsApp, 'add'>;
}

/** What was started. */
export interface Background {
  /** Fires nothing more, lets runs go on for `graceMs`, then ends the delivery of events. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts what a server does by itself, in this order: sinks first, so that the first event is
 * pushed; then runs; then triggers, which submit runs. It stops in the other order. A part that
 * cannot start stops those before it, and is thrown.
 */
export async function startBackground(
  { serve, triggers, events, metrics }: BackgroundApps,
  options: ServeOptions,
): Promise<Background> {
  const { workspace } = options;
  const sinks = await events.startSinks(workspace);
  const ends: (() => Promise<void> | void)[] = [
    () => sinks.stop(),
    await metrics.add('sinks', () => sinkMetrics(sinks.counters())),
  ];
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    await serve.start(options);
    ends.push(() => serve.drain(0));
    ends.push(serve.onReload(() => sinks.reload()));
    await triggers.start({ workspace });
  } catch (error) {
    await endAll();
    throw error;
  }
  return {
    stop: async (graceMs) => {
      try {
        await triggers.stop();
        await serve.drain(graceMs);
      } finally {
        await endAll();
      }
    },
  };
}
