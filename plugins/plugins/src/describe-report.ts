import type { PluginReport } from '@kit-run/kit/command';

/** Lines for people: one for the plugin, one for each thing it brings or that was not taken. */
export function describeReport(report: PluginReport): readonly string[] {
  const { name, version, origin, state, code, message, contributions, commands, dropped } = report;
  return [
    `${name} ${version} (${origin}) ${state}`,
    ...(code === null ? [] : [`  ${code}: ${message}`]),
    ...contributions.map(({ point, id, title }) => `  ${point} ${id}: ${title}`),
    ...commands.map((id) => `  command ${id.replaceAll(':', ' ')}`),
    ...dropped.map((what) => `  not taken: ${what}`),
  ];
}

/** The wire speaks snake_case. */
export function reportToWire({ importMs, createMs, contributions, ...rest }: PluginReport): unknown {
  return {
    ...rest,
    contributions: contributions.map(({ configSchema, ...info }) => ({ ...info, config_schema: configSchema })),
    import_ms: importMs,
    create_ms: createMs,
  };
}
