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
