/** `name`, which means every version, or `name@version`, as the conditions of a list take it. */
export function partsOf(topology: string | undefined): {
  readonly name: string | undefined;
  readonly version: string | undefined;
} {
  if (topology === undefined) return { name: undefined, version: undefined };
  const [name, version] = topology.split('@', 2);
  return { name, version };
}
