/** Compares two semver triples without pre-release parts (the schema allows no other). */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Versioned {
  readonly name: string;
  readonly version: string;
}

/** Every version of a topology, highest first. */
export const versionsOf = <T extends Versioned>(topologies: ReadonlyMap<string, T>, name: string): readonly T[] =>
  [...topologies.values()]
    .filter((topology) => topology.name === name)
    .toSorted((a, b) => compareVersions(b.version, a.version));

/**
 * A topology by `name@version` or by bare name, which means its highest version
 * (docs/design/decisions.md#versions); null when there is none.
 */
export function topologyOf<T extends Versioned>(
  workspace: { readonly topologies: ReadonlyMap<string, T> },
  name: string,
): T | null {
  return workspace.topologies.get(name) ?? versionsOf(workspace.topologies, name)[0] ?? null;
}
