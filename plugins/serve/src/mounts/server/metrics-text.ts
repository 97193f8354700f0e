import type { Metric } from '@kit-run/kit/command';
import { Counter, Gauge, Registry } from 'prom-client';

const BYTES = [
  ['process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()],
  ['process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed],
] as const;

function put(registry: Registry, { name, help, kind, samples }: Metric): void {
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))];
  const options = { name, help, labelNames, registers: [registry] };
  if (kind === 'counter') {
    const counter = new Counter(options);
    for (const { labels, value } of samples) counter.inc(labels, value);
    return;
  }
  const gauge = new Gauge(options);
  for (const { labels, value } of samples) gauge.set(labels, value);
}

/** What the server measured of requests, what the use cases know, and the process, as one text. */
export async function metricsText(http: Registry, metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  // Without a sample prom-client would show a series without labels.
  for (const metric of metrics) if (metric.samples.length > 0) put(registry, metric);
  for (const [name, help, read] of BYTES)
    put(registry, { name, help, kind: 'gauge', samples: [{ labels: {}, value: read() }] });
  return `${await http.metrics()}\n${await registry.metrics()}`;
}
