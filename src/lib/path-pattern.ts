/**
 * Segments of a dotted pattern: `*` is any one segment, a final `**` any number of further ones.
 */
export type PathPattern = readonly string[];

export const pathPattern = (text: string): PathPattern => text.split('.');

/** True when the whole path fits the pattern. */
export function matchesPath(pattern: PathPattern, path: readonly string[]): boolean {
  for (const [index, part] of pattern.entries()) {
    if (part === '**') return path.length > index;
    const segment = path[index];
    if (segment === undefined || (part !== '*' && part !== segment)) return false;
  }
  return pattern.length === path.length;
}
