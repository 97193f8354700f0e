import type { EventType } from '../../../domain/events.js';
import type { SinkSettings } from '../../../domain/server-settings.js';

/** The contribution that exports runs; an entry of `events` names it by its name or its id. */
const SINK = 'kit.sink-otel';
const NAMES: readonly string[] = ['otel', SINK];

/**
 * A trace is told when a run parks or ends: every span that ended until then is known, whoever
 * worked on it.
 */
export const TELEMETRY_TYPES: readonly EventType[] = ['run.parked', 'run.ended'];

/** Prefix of the lead of the one process that exports the runs of a workspace. */
export const TELEMETRY_LEAD = 'telemetry';

export const isTelemetry = ({ sink }: Pick<SinkSettings, 'sink'>): boolean => NAMES.includes(sink);

/**
 * The one exporter of a workspace; null = there is none. `exporter` (KIT_OTEL_EXPORTER) beats the
 * file: `none` leaves the file's entry out, anything else exports with what the entry says besides.
 * Of several entries the first counts.
 */
export function telemetrySettings(sinks: readonly SinkSettings[], exporter: string | null): SinkSettings | null {
  const written = sinks.find(isTelemetry);
  if (exporter === 'none' || (exporter === null && written === undefined)) return null;
  return { sink: SINK, config: written?.config ?? {}, types: TELEMETRY_TYPES };
}
