const NAME = /^[\w.-]{1,60}$/;

/** A provider of governance that a plugin brings is named in its configuration. */
export function pluginHelp(pointer: string, found: unknown): string | undefined {
  if (pointer !== '/governance/provider' || typeof found !== 'string' || !NAME.test(found)) return undefined;
  return `that of a plugin is \`provider: custom\` with \`config: { provider_id: ${found} }\``;
}
