import type { RunSpan, RunTrace, TracePart } from '@kit-run/kit/plugin';
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { type Attributes, describe, ownerAttributes } from './attributes.js';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
} as const;

/** Seconds and nanoseconds. */
const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

/**
 * The spans of one part of a trace as the serializers of OpenTelemetry take them; ids and times are
 * those of the log.
 */
export function toSpans(
  trace: RunTrace,
  part: TracePart,
  of: { readonly resource: Attributes; readonly version: string },
): ReadableSpan[] {
  const resource = resourceFromAttributes({ ...of.resource, ...ownerAttributes(trace, part) });
  const scope = { name: 'kit', version: of.version };
  const flags = TraceFlags.SAMPLED;
  const context = (spanId: string) => ({ traceId: trace.traceId, spanId, traceFlags: flags });
  return part.spans.map((span): ReadableSpan => {
    const { name, kind, attributes } = describe(span, trace);
    return {
      name,
      kind: KINDS[kind],
      spanContext: () => context(span.spanId),
      ...(span.parentSpanId === null
        ? {}
        : { parentSpanContext: { ...context(span.parentSpanId), isRemote: span.of.type === 'submit' } }),
      startTime: hrTime(span.startMs),
      endTime: hrTime(span.endMs),
      duration: hrTime(span.endMs - span.startMs),
      status: statusOf(span),
      attributes: {
        ...attributes,
        'kit.run.id': trace.runId,
        ...(span.error === null ? {} : { 'error.type': span.error }),
      },
      links: [],
      events: [],
      ended: true,
      resource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  });
}

/** A reason is a code: nothing that anybody wrote. */
const statusOf = ({ error }: RunSpan): ReadableSpan['status'] =>
  error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error };
