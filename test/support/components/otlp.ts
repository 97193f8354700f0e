import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** One attribute value as it was decoded. */
type Value = {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
};
type KeyValues = readonly { readonly key: string; readonly value: Value }[];

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: KeyValues;
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface WirePoint {
  readonly attributes: KeyValues;
  readonly asInt?: string;
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
}

interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly WirePoint[] };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}

interface WireResource {
  readonly resource: { readonly attributes: KeyValues };
  readonly scopeSpans?: readonly { readonly spans: readonly WireSpan[] }[];
  readonly scopeMetrics?: readonly { readonly metrics: readonly WireMetric[] }[];
}

/** One request, decoded. */
export interface OtlpRequest {
  readonly signal: 'traces' | 'metrics';
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body byte for byte. */
  readonly base64: string;
  /** Absent: it could not be decoded. */
  readonly body?: {
    readonly resourceSpans?: readonly WireResource[];
    readonly resourceMetrics?: readonly WireResource[];
  };
  readonly error?: string;
}

/** A span as it arrived, its times in milliseconds. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** '' = none. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly resource: Readonly<Record<string, string | number | boolean>>;
  /** 2 = error. */
  readonly status: { readonly code: number; readonly message: string };
}

/** One series: counters and gauges have a value, histograms a count and a sum. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly value: number | null;
  readonly count: number | null;
  readonly sum: number | null;
}

/** A receiver for one test. */
export interface OtlpReceiver {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly OtlpRequest[];
  /** In the order in which they came; a span that came twice is there twice. */
  spans(): readonly ReceivedSpan[];
  points(): readonly ReceivedPoint[];
  behave(how: { readonly status?: number; readonly hang?: boolean }): Promise<void>;
}

const plain = ({ stringValue, intValue, doubleValue, boolValue }: Value) =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? '') : Number(intValue));
const recordOf = (pairs: KeyValues) => Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));
const ms = (nanos: string): number => Number(BigInt(nanos) / 1000n) / 1000;

/**
 * Starts the receiver that a person starts by hand, as a process of its own; it ends with the test.
 */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const program = fileURLToPath(new URL('./otlp.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  // A receiver that was ended reads nothing more.
  child.stdin.on('error', () => undefined);
  const requests: OtlpRequest[] = [];
  const first = Promise.withResolvers<void>();
  let url = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (url !== '') {
      requests.push(JSON.parse(line) as OtlpRequest); // the program prints nothing else
      child.stdin.write('\n');
      return;
    }
    url = line;
    first.resolve();
  });
  await first.promise;
  return {
    url,
    requests,
    spans: () => requests.flatMap(({ body }) => body?.resourceSpans ?? []).flatMap(spansIn),
    points: () => requests.flatMap(({ body }) => body?.resourceMetrics ?? []).flatMap(pointsIn),
    behave: async (how) => {
      await fetch(`${url}/behave`, { method: 'POST', body: JSON.stringify(how) });
    },
  };
}

function spansIn({ resource, scopeSpans = [] }: WireResource): readonly ReceivedSpan[] {
  return scopeSpans
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId ?? '',
      name: span.name,
      kind: span.kind,
      startMs: ms(span.startTimeUnixNano),
      endMs: ms(span.endTimeUnixNano),
      attributes: recordOf(span.attributes),
      resource: recordOf(resource.attributes),
      status: { code: span.status?.code ?? 0, message: span.status?.message ?? '' },
    }));
}

function pointsIn({ scopeMetrics = [] }: WireResource): readonly ReceivedPoint[] {
  return scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .flatMap(
      ({ name, unit, sum, gauge, histogram }) =>
        (sum ?? gauge ?? histogram)?.dataPoints.map((point) => ({
          metric: name,
          unit,
          attributes: recordOf(point.attributes),
          value: point.asInt === undefined ? (point.asDouble ?? null) : Number(point.asInt),
          count: point.count === undefined ? null : Number(point.count),
          sum: point.sum ?? null,
        })) ?? [],
    );
}
