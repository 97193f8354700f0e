import parseDiff from 'parse-diff';

/** One file of a unified diff, by what it became. */
export interface ChangedFile {
  /** New path; of a deleted file the old one. Relative to the top of the repository. */
  readonly path: string;
  /** Path before a rename; null when it is the same, or the file is new. */
  readonly oldPath: string | null;
  /** Added or changed lines by their number in the new file. */
  readonly newLines: readonly number[];
}

const NOWHERE = '/dev/null';

/** What a unified diff changes, as git writes it. Text that is no diff changes nothing. */
export function changedFiles(diff: string): readonly ChangedFile[] {
  return parseDiff(diff).flatMap((file): readonly ChangedFile[] => {
    const from = pathOf(file.from);
    const to = file.deleted === true ? null : pathOf(file.to);
    const path = to ?? from;
    if (path === null) return [];
    const changes = file.chunks.flatMap((chunk) => chunk.changes);
    // The library counts the note about a missing newline as a line of its own.
    const newLines = changes.flatMap((change) =>
      change.type === 'add' && !change.content.startsWith('\\') ? [change.ln] : [],
    );
    return [{ path, oldPath: from === null || from === path ? null : from, newLines }];
  });
}

function pathOf(name: string | undefined): string | null {
  return name === undefined || name === '' || name === NOWHERE ? null : unquote(name);
}

/** git writes bytes that are no plain ASCII as octal escapes. */
function unquote(name: string): string {
  if (!name.includes('\\')) return name;
  const bytes: number[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const octal = /^\\([0-3][0-7]{2})/.exec(name.slice(at, at + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      at += 3;
    } else {
      const escaped = /^\\(["\\])/.exec(name.slice(at, at + 2))?.[1];
      if (escaped !== undefined) at += 1;
      bytes.push(...new TextEncoder().encode(escaped ?? name.charAt(at)));
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
