const NAME = /^[\w.-]{1,60}$/;

/** A governance provider that a plugin brings is named in the configuration. `pointer`: of the word. */
export function pluginHelp(pointer: string, found: unknown): string | undefined {
  if (pointer !== '/governance/provider' || typeof found !== 'string' || !NAME.test(found)) return undefined;
  return `that of a plugin is \`provider: custom\` with \`config: { provider_id: ${found} }\``;
}
