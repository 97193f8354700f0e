import { Histogram, Registry } from 'prom-client';

/** Seconds; from an answer out of memory to a page that took its time. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What is measured of one request. */
export interface Observation {
  readonly method: string;
  /**
   * Pattern, never an address: an address would be a series of its own for each caller who tries
   * one.
   */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/**
 * Durations of requests in a registry of this server's own: two servers in one process do not mix.
 */
export interface HttpMetrics {
  readonly registry: Registry;
  observe(observation: Observation): void;
}

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'kit_http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    observe: ({ method, route, status, seconds }) =>
      durations.observe(
        { method: KNOWN_METHODS.has(method) ? method : 'other', route, status: String(status) },
        seconds,
      ),
  };
}
