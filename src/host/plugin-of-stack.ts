/** Where the code of one plugin lies. */
export interface PluginPlace {
  readonly name: string;
  /** Real path. */
  readonly root: string;
  readonly isBundled: boolean;
}

const framesOf = (stack: string): readonly string[] =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => decoded(line).replaceAll('\\', '/'));

function decoded(frame: string): string {
  try {
    return decodeURI(frame);
  } catch {
    return frame; // a path with a bare percent sign
  }
}

const isNodes = (frame: string): boolean => /\(?node:|<anonymous>/.test(frame) && !frame.includes('file:');

function ownerOf(frame: string, places: readonly PluginPlace[]): PluginPlace | null {
  const inside = places.filter(({ root }) => frame.includes(`${root.replaceAll('\\', '/')}/`));
  return inside.sort((a, b) => b.root.length - a.root.length)[0] ?? null;
}

/**
 * The plugin whose code a stack is about; null = none that is known. Kit's own plugins count where
 * the error comes from their code itself: they stand at the bottom of most stacks.
 */
export function pluginOfStack(stack: string, places: readonly PluginPlace[]): string | null {
  const frames = framesOf(stack);
  const foreign = places.filter(({ isBundled }) => !isBundled);
  for (const frame of frames) {
    const owner = ownerOf(frame, foreign);
    if (owner !== null) return owner.name;
  }
  const first = frames.find((frame) => !isNodes(frame));
  return first === undefined ? null : (ownerOf(first, places)?.name ?? null);
}

/** The package below a folder of installed packages that a stack is about; null = none. */
export function packageOfStack(stack: string, modules: string): string | null {
  const below = `${modules.replaceAll('\\', '/')}/`;
  for (const frame of framesOf(stack)) {
    const at = frame.lastIndexOf(below);
    if (at === -1) continue;
    const [first = '', second = ''] = frame.slice(at + below.length).split('/');
    return first.startsWith('@') ? `${first}/${second}` : first;
  }
  return null;
}
