/** The paths that count as changed: `changed` and what they reach without an import. */
export function reachOf(changed: readonly string[], modules: Readonly<Record<string, string>>): string[];
