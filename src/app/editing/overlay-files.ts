import { basename, dirname } from 'node:path';
import type { Files } from '../../domain/ports/system.js';

type Entries = Awaited<ReturnType<Files['list']>>;

function withEntry(entries: Entries, name: string, isThere: boolean): Entries {
  const others = (entries ?? []).filter((entry) => entry.name !== name);
  if (!isThere) return entries === null ? null : others;
  return [...others, { name, kind: 'file' as const }].toSorted((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

/**
 * The files of a workspace with one of them replaced (`text`), added, or gone (null), and nothing
 * written: a change is judged as the loader will see it. `path` is absolute, as the loader will ask
 * for it.
 */
export function overlayFiles(files: Files, path: string, text: string | null): Files {
  const folder = dirname(path);
  return {
    readText: async (asked) => (asked === path ? text : files.readText(asked)),
    readBytes: async (asked) => (asked !== path ? files.readBytes(asked) : text === null ? null : Buffer.from(text)),
    realPath: async (asked) => {
      if (asked === path) return text === null ? null : ((await files.realPath(asked)) ?? asked);
      return (await files.realPath(asked)) ?? (asked === folder && text !== null ? asked : null);
    },
    list: async (asked) => {
      const entries = await files.list(asked);
      return asked === folder ? withEntry(entries, basename(path), text !== null) : entries;
    },
  };
}
