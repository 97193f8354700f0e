import { randomUUID } from 'node:crypto';
import {
  type EventSink,
  type PluginContext,
  postOnce,
  type RunTrace,
  type SinkOutcome,
  type TracePart,
} from '@kit-run/kit/plugin';
import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../config/settings.js';
import { createInstruments, type Instruments } from '../metrics/instruments.js';
import type { Attributes } from '../spans/attributes.js';
import { toSpans } from '../spans/to-spans.js';

type Signal = 'traces' | 'metrics';

const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const;

/**
 * 429 and what is broken may pass; any other answer will be the same next time (OTLP/HTTP
 * response).
 */
function outcomeOf(status: number): SinkOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return { kind: status === 429 || status >= 500 ? 'failed' : 'rejected', detail: `the receiver answered ${status}` };
}

/** Posts one request, with the key of the environment or of the configuration. */
async function post(
  { baseUrl, headers, protocol, credentialsRef }: TelemetrySettings,
  sent: { readonly signal: Signal; readonly body: Uint8Array<ArrayBuffer>; readonly until: AbortSignal },
  context: Pick<PluginContext, 'fetch' | 'secrets' | 'signal'>,
): Promise<SinkOutcome> {
  const { secrets } = context;
  const posted = await postOnce(
    {
      url: `${baseUrl}/v1/${sent.signal}`,
      body: sent.body,
      headers: { ...headers, 'content-type': TYPES[protocol] },
      bearer: async () =>
        secrets.env('KIT_OTEL_API_KEY') ?? (credentialsRef === null ? null : secrets.credential(credentialsRef)),
      signal: sent.until,
    },
    context,
  );
  return posted.kind === 'answered' ? outcomeOf(posted.status) : { kind: 'failed', detail: posted.detail };
}

/**
 * Collects when it is asked to: who asks has the figures of the queue, and knows whether this
 * process exports.
 */
class AskedReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

/** The counters of this process, from its start on. */
interface Collector extends Instruments {
  collect(): Promise<ResourceMetrics>;
  end(): Promise<void>;
}

function createCollector(of: { readonly resource: Attributes; readonly version: string }): Collector {
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

/** Digits that count: as many as a number holds exactly. */
const TRACE_DIGITS = 13;

/**
 * Whether the trace of a run is exported. Who began the trace decides; a run that begins one is
 * drawn by its trace id, so that every process says the same of it.
 */
function isExported(
  { traceId, isSampled, hasParent }: Pick<RunTrace, 'traceId' | 'isSampled' | 'hasParent'>,
  rate: number,
): boolean {
  if (hasParent) return isSampled;
  return Number.parseInt(traceId.slice(-TRACE_DIGITS), 16) / 16 ** TRACE_DIGITS < rate;
}

const TRACES = { protobuf: ProtobufTraceSerializer, json: JsonTraceSerializer } as const;
const METRICS = { protobuf: ProtobufMetricsSerializer, json: JsonMetricsSerializer } as const;

const DELIVERED: SinkOutcome = { kind: 'delivered' };

/**
 * What makes spans and metrics of traces, and sends them. It is loaded with the first event, and
 * with it the packages of OpenTelemetry.
 */
export function createExporter(
  settings: TelemetrySettings,
  context: PluginContext,
): Required<Pick<EventSink, 'deliver' | 'measure' | 'dispose'>> {
  const { version } = context.plugin;
  const resource = { ...settings.attributes, 'service.name': settings.serviceName, 'service.version': version };
  const collector = createCollector({ resource, version });
  let progress = { eventId: '', counted: 0, sent: 0 };
  // An event that failed comes again, and is the same run.
  const begin = (eventId: string, trace: RunTrace): void => {
    if (eventId === progress.eventId) return;
    progress = { eventId, counted: 0, sent: 0 };
    collector.countRun(trace);
  };
  const send = async (
    signal: Signal,
    data: { readonly bytes: () => Uint8Array | undefined; readonly shown: () => unknown },
    until: AbortSignal,
  ): Promise<SinkOutcome> => {
    if (settings.exporter === 'console') return print(data.shown());
    const bytes = data.bytes();
    if (bytes === undefined) return { kind: 'rejected', detail: 'it cannot be encoded' } as const;
    return post(settings, { signal, body: new Uint8Array(bytes), until }, context);
  };
  const sendPart = (trace: RunTrace, part: TracePart, until: AbortSignal): Promise<SinkOutcome> => {
    const spans = toSpans(trace, part, { resource, version });
    return send(
      'traces',
      { bytes: () => TRACES[settings.protocol].serializeRequest(spans), shown: () => spans.map(shownSpan) },
      until,
    );
  };
  return {
    deliver: async (entry, until, run) => {
      const trace = await run.trace();
      if (trace === null) return DELIVERED;
      begin(entry.event_id, trace);
      // Sampling is of traces: metrics count every run, so its parts are read either way.
      const isSent = isExported(trace, settings.sampleRate);
      const here = progress;
      let failure: SinkOutcome | null = null;
      let number = 0;
      for await (const part of trace.parts(until)) {
        number += 1;
        if (number > here.counted) {
          collector.countPart(part);
          here.counted = number;
        }
        // What comes after a part that was not taken is counted all the same; what was taken is not
        // sent again.
        if (!isSent || failure !== null || number <= here.sent || part.spans.length === 0) continue;
        const outcome = await sendPart(trace, part, until);
        if (outcome.kind === 'delivered') here.sent = number;
        else failure = outcome;
      }
      return failure ?? DELIVERED;
    },
    measure: async (figures, until) => {
      collector.observe(figures);
      const metrics = await collector.collect();
      if (metrics.scopeMetrics.length === 0) return DELIVERED;
      return send(
        'metrics',
        { bytes: () => METRICS[settings.protocol].serializeRequest(metrics), shown: () => shownMetrics(metrics) },
        until,
      );
    },
    dispose: () => collector.end(),
  };
}

/** stdout belongs to results. */
const print = (value: unknown): Promise<SinkOutcome> =>
  new Promise((resolve) => {
    process.stderr.write(`${JSON.stringify(value)}\n`, (error) =>
      resolve(error ? { kind: 'rejected', detail: 'stderr is closed' } : DELIVERED),
    );
  });

const shownSpan = (span: ReadableSpan) => ({
  span: span.name,
  trace_id: span.spanContext().traceId,
  span_id: span.spanContext().spanId,
  parent_span_id: span.parentSpanContext?.spanId ?? null,
  start: span.startTime[0] * 1000 + span.startTime[1] / 1e6,
  duration_ms: span.duration[0] * 1000 + span.duration[1] / 1e6,
  error: span.status.message ?? null,
  attributes: span.attributes,
});

const shownMetrics = ({ scopeMetrics }: ResourceMetrics) =>
  scopeMetrics.flatMap(({ metrics }) =>
    metrics.map(({ descriptor, dataPoints }) => ({
      metric: descriptor.name,
      unit: descriptor.unit,
      points: dataPoints.map(({ attributes, value }) => ({ attributes, value })),
    })),
  );
