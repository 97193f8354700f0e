import { type JsonObject, KitError, type Secrets } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';

/** Where and how to export, as environment and file say together. */
export interface TelemetrySettings {
  readonly exporter: 'otlp' | 'console';
  /** Without a slash at its end; signals are posted to `/v1/traces` and `/v1/metrics` below it. */
  readonly baseUrl: string;
  readonly protocol: 'protobuf' | 'json';
  readonly headers: Readonly<Record<string, string>>;
  /** Entry of `credentials` that is sent as a bearer token; KIT_OTEL_API_KEY beats it. */
  readonly credentialsRef: string | null;
  /** Of the resource, beside what kit says of itself. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** 0 to 1. */
  readonly sampleRate: number;
  readonly metricsEveryMs: number;
}

/** Default of OTEL_METRIC_EXPORT_INTERVAL in the specification of OpenTelemetry. */
const METRICS_EVERY_MS = 60_000;

/**
 * What the environment says, else the file, else the default. Throws KIT_ENV_INVALID naming the
 * variable, never with its value. Of the variables of OpenTelemetry itself those that name the
 * resource, the protocol and the interval of metrics are read; the others are not, because they
 * would configure a second exporter beside this one.
 */
export function readSettings(config: JsonObject, { env }: Pick<Secrets, 'env'>): TelemetrySettings {
  const attributes = parsePairs('OTEL_RESOURCE_ATTRIBUTES', env('OTEL_RESOURCE_ATTRIBUTES'));
  const written = {
    ...headersIn(config.headers),
    ...lowerCase(parsePairs('KIT_OTEL_HEADERS', env('KIT_OTEL_HEADERS'))),
  };
  assertHeaders(written);
  return {
    exporter: exporterOf(env('KIT_OTEL_EXPORTER') ?? textIn(config.exporter) ?? DEFAULTS.otel.exporter),
    baseUrl: baseOf(env('KIT_OTEL_ENDPOINT') ?? textIn(config.endpoint) ?? DEFAULTS.otel.endpoint),
    protocol: protocolOf(env('OTEL_EXPORTER_OTLP_PROTOCOL')),
    headers: written,
    credentialsRef: textIn(config.credentials_ref),
    attributes,
    serviceName:
      env('OTEL_SERVICE_NAME') ??
      attributes['service.name'] ??
      textIn(config.service_name) ??
      DEFAULTS.otel.service_name,
    sampleRate: typeof config.sample_rate === 'number' ? config.sample_rate : DEFAULTS.otel.sample_rate,
    metricsEveryMs: intervalOf(env('OTEL_METRIC_EXPORT_INTERVAL')),
  };
}

const invalid = (name: string, message: string, hint?: string): KitError =>
  new KitError('KIT_ENV_INVALID', `${name} ${message}`, {
    data: { variables: [name] },
    ...(hint === undefined ? {} : { hint }),
  });

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function exporterOf(text: string): TelemetrySettings['exporter'] {
  if (text === 'otlp' || text === 'console') return text;
  throw invalid('KIT_OTEL_EXPORTER', 'must be otlp, console or none', 'Unset it to export nothing.');
}

/** The interface names the address of traces: the rest of the path is where both signals lie. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid('KIT_OTEL_ENDPOINT', 'must be an http or https URL', 'Write http://localhost:4318.');
  if (url.username !== '' || url.password !== '')
    throw invalid('KIT_OTEL_ENDPOINT', 'must hold no password', 'Set KIT_OTEL_API_KEY, or KIT_OTEL_HEADERS.');
  if (url.search !== '' || url.hash !== '')
    throw invalid('KIT_OTEL_ENDPOINT', 'must end with its path: a query would be sent to every signal');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1\/(traces|metrics)$/, '');
}

function protocolOf(text: string | null): TelemetrySettings['protocol'] {
  if (text === null || text === 'http/protobuf') return 'protobuf';
  if (text === 'http/json') return 'json';
  throw invalid('OTEL_EXPORTER_OTLP_PROTOCOL', 'must be http/protobuf or http/json: kit exports over HTTP alone');
}

function intervalOf(text: string | null): number {
  if (text === null) return METRICS_EVERY_MS;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (ms < 1) throw invalid('OTEL_METRIC_EXPORT_INTERVAL', 'must be a whole number of milliseconds, 1 or more');
  return ms;
}

const headersIn = (value: unknown): Readonly<Record<string, string>> => {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return lowerCase(Object.fromEntries(entries.map(([name, text]) => [name, String(text)])));
};

const lowerCase = (pairs: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name.toLowerCase(), value]));

/** Refused now instead of at the first request; what the runtime says of a header quotes it. */
function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw invalid(
        'KIT_OTEL_HEADERS',
        'holds what cannot be sent as a header',
        'Write name=value, divided by commas.',
      );
    }
  }
}

/**
 * `name=value,name=value` as the variables of OpenTelemetry have it: values may be percent-encoded.
 * Throws KIT_ENV_INVALID.
 */
function parsePairs(variable: string, text: string | null): Readonly<Record<string, string>> {
  const parts = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return Object.fromEntries(parts.map((part) => pairOf(variable, part)));
}

function pairOf(variable: string, part: string): readonly [string, string] {
  const cut = part.indexOf('=');
  const name = cut < 1 ? '' : part.slice(0, cut).trim();
  const value = decoded(part.slice(cut + 1).trim());
  if (name !== '' && value !== null) return [name, value];
  throw new KitError('KIT_ENV_INVALID', `${variable} must be a list of name=value, divided by commas`, {
    data: { variables: [variable] },
  });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
