import { defineEventSink, type EventSink, type JsonObject, type PluginContext } from '@kit-run/kit/plugin';
import { readSettings } from './config/settings.js';

type Exporter = ReturnType<typeof import('./export/exporter.js')['createExporter']>;

/**
 * Settings are judged now, before anything runs; the packages of OpenTelemetry are loaded when
 * there is something to tell.
 */
function create(config: JsonObject, context: PluginContext): EventSink {
  const settings = readSettings(config, context.secrets);
  let opened: Promise<Exporter> | undefined;
  const exporter = (): Promise<Exporter> =>
    (opened ??= import('./export/exporter.js').then(({ createExporter }) => createExporter(settings, context)));
  return {
    measureEveryMs: settings.metricsEveryMs,
    deliver: async (entry, signal, run) => (await exporter()).deliver(entry, signal, run),
    measure: async (figures, signal) => (await exporter()).measure(figures, signal),
    dispose: async () => {
      await (await opened?.catch(() => undefined))?.dispose();
    },
  };
}

/** Event sink `otel`: the traces of runs when they park or end, and metrics, over OTLP/HTTP. */
export const contribution = defineEventSink({ create });
