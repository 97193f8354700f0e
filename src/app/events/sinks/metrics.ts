import type { Metric } from '../../serve/metrics-app.js';
import type { SinkCounters } from './sink-loop.js';

/** The counters of the event sinks as `/metrics` shows them. */
export function sinkMetrics(counters: readonly SinkCounters[]): readonly Metric[] {
  const outcomes = ['delivered', 'rejected', 'failed'] as const;
  return [
    {
      name: 'kit_sink_events_total',
      help: 'Events that were pushed: delivered, rejected for good, or failed three times.',
      kind: 'counter',
      samples: counters.flatMap((one) => outcomes.map((outcome) => ({ labels: { sink: one.sink, outcome }, value: one[outcome] }))),
    },
    {
      name: 'kit_sink_skips_total',
      help: 'How often a sink fell too far behind and went on with new events.',
      kind: 'counter',
      samples: counters.map(({ sink, skips }) => ({ labels: { sink }, value: skips })),
    },
  ];
}
