/** One series of a metric. */
export interface MetricSample {
  /** Few values each: a status, the name of a sink. Never an id. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric of `GET /metrics`. */
export interface Metric {
  /** `kit_<what>_<unit>`, counters end in `_total`; unique over all sources. */
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly samples: readonly MetricSample[];
}

/** Asked at each scrape; it answers from memory or with one cheap query. */
export type MetricSource = (workspace: string) => Promise<readonly Metric[]> | readonly Metric[];

/**
 * The numbers of a process that serves. Sinks, triggers and whoever else counts adds a source; the route renders what they say. A
 * source that throws is left out of that scrape and shown as `kit_metrics_source_failed`.
 */
export interface MetricsApp {
  /** `name` is shown when the source fails; the function returned takes the source back. */
  add(name: string, source: MetricSource): Promise<() => void>;
  read(workspace: string): Promise<readonly Metric[]>;
}
