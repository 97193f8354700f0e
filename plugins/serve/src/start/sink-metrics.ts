import type { Metric, SinkCounters } from '@kit-run/kit/command';

const SERIES = [
  ['kit_sink_delivered_total', 'Events that a sink took.', 'delivered'],
  ['kit_sink_rejected_total', 'Events that a sink would not take.', 'rejected'],
  ['kit_sink_failed_total', 'Events dropped after the last attempt.', 'failed'],
  ['kit_sink_skips_total', 'Times that a sink fell too far behind and skipped to the end of the log.', 'skips'],
] as const;

/** What the background delivery did, a series a sink. */
export const sinkMetrics = (sinks: readonly SinkCounters[]): readonly Metric[] =>
  SERIES.map(([name, help, key]) => ({
    name,
    help,
    kind: 'counter',
    samples: sinks.map((counters) => ({ labels: { sink: counters.sink }, value: counters[key] })),
  }));
