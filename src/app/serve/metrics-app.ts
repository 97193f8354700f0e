import type { Metric } from '../../domain/ports/metrics.js';

export type { Metric, MetricSample } from '../../domain/ports/metrics.js';

/** Asked at each scrape; it answers from memory or with one cheap query. */
export type MetricSource = (workspace: string) => Promise<readonly Metric[]> | readonly Metric[];

/**
 * The numbers of a process that serves. Sinks, triggers and whoever else counts adds a source; the
 * route renders what they say. A source that throws is left out of that scrape and shown as
 * `kit_metrics_source_failed`.
 */
export interface MetricsApp {
  /** `name` is shown when the source fails; the function returned takes the source back. */
  add(name: string, source: MetricSource): Promise<() => void>;
  read(workspace: string): Promise<readonly Metric[]>;
}
