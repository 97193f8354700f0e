import { randomUUID } from 'node:crypto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Attributes } from '../spans/attributes.js';
import { createInstruments, type Instruments } from './instruments.js';

/**
 * Collects when it is asked to: who asks has the figures of the queue, and knows whether this
 * process exports.
 */
class AskedReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

/** The counters of this process, from its start on. */
export interface Collector extends Instruments {
  collect(): Promise<ResourceMetrics>;
  end(): Promise<void>;
}

export function createCollector(of: { readonly resource: Attributes; readonly version: string }): Collector {
  const reader = new AskedReader();
  // Counters begin with the process: without its own id those of two processes would be one series
  // that jumps.
  const resource = resourceFromAttributes({ ...of.resource, 'service.instance.id': randomUUID() });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return {
    ...createInstruments(provider.getMeter('kit', of.version)),
    collect: async () => (await reader.collect()).resourceMetrics,
    end: () => provider.shutdown(),
  };
}
