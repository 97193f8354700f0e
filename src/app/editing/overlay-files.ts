import { basename, dirname, relative, sep } from 'node:path';
import type { Files } from '../../domain/ports/system.js';
import { isBelow } from '../../lib/is-inside.js';

type Entries = Awaited<ReturnType<Files['list']>>;

function withEntry(entries: Entries, name: string, isThere: boolean): Entries {
  const others = (entries ?? []).filter((entry) => entry.name !== name);
  if (!isThere) return entries === null ? null : others;
  return [...others, { name, kind: 'file' as const }].toSorted((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

/** A folder that is made for the file shows in the one above it. */
function withFolder(entries: Entries, name: string): Entries {
  if (entries?.some((entry) => entry.name === name)) return entries;
  return [...(entries ?? []), { name, kind: 'directory' as const }].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The files of a workspace with one of them replaced (`text`), added, or gone (null), and nothing
 * written: a change is judged as the loader will see it. `path` is absolute, as the loader will ask
 * for it.
 */
export function overlayFiles(files: Files, path: string, text: string | null): Files {
  const folder = dirname(path);
  const isMadeFor = (asked: string): boolean => text !== null && isBelow(asked, path);
  return {
    readText: async (asked) => (asked === path ? text : files.readText(asked)),
    readBytes: async (asked) => (asked !== path ? files.readBytes(asked) : text === null ? null : Buffer.from(text)),
    realPath: async (asked) => {
      if (asked === path) return text === null ? null : ((await files.realPath(asked)) ?? asked);
      return (await files.realPath(asked)) ?? (isMadeFor(asked) ? asked : null);
    },
    list: async (asked) => {
      const entries = await files.list(asked);
      if (asked === folder) return withEntry(entries, basename(path), text !== null);
      return isMadeFor(asked) ? withFolder(entries, relative(asked, path).split(sep)[0] ?? '') : entries;
    },
  };
}
