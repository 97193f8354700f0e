import parseDiff from 'parse-diff';

/** One file of a unified diff, by what it became. */
export interface DiffFile {
  /** New path; of a deleted file the old one. Relative to the top of the repository. */
  readonly path: string;
  /** Path before a rename; null when it is the same, or the file is new. */
  readonly oldPath: string | null;
  readonly change: 'added' | 'deleted' | 'renamed' | 'changed';
  /** Bytes that no line tells: `added` and `removed` are 0 then. */
  readonly isBinary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Added or changed lines by their number in the new file. */
  readonly newLines: readonly number[];
}

const NOWHERE = '/dev/null';

/** The files of a unified diff, as git writes it. Text that is not a diff has none. */
export function diffFiles(diff: string): readonly DiffFile[] {
  return parseDiff(diff).flatMap((file): readonly DiffFile[] => {
    const from = pathOf(file.from);
    const to = file.deleted === true ? null : pathOf(file.to);
    const path = to ?? from;
    if (path === null) return [];
    const changes = file.chunks.flatMap((chunk) => chunk.changes);
    // The library counts the note about a missing newline as a line of its own.
    const lines = changes.filter((change) => !change.content.startsWith('\\'));
    const isNew = file.new === true || from === null;
    const oldPath = isNew || from === path ? null : from;
    return [
      {
        path,
        oldPath,
        change: file.deleted === true ? 'deleted' : isNew ? 'added' : oldPath === null ? 'changed' : 'renamed',
        isBinary: file.chunks.length === 0 && isBinaryIn(diff, path),
        added: lines.filter((change) => change.type === 'add').length,
        removed: lines.filter((change) => change.type === 'del').length,
        newLines: lines.flatMap((change) => (change.type === 'add' ? [change.ln] : [])),
      },
    ];
  });
}

/**
 * The diff cut where git begins a file. A carriage return or a line separator within a line begins
 * none: a line of a file could otherwise pass for the head of another file.
 */
export const diffSections = (diff: string): readonly string[] => diff.split(/(?<![^\n])(?=diff --git )/);

/** True when the section of the file holds bytes instead of lines. */
function isBinaryIn(diff: string, path: string): boolean {
  const start = diff.indexOf(`b/${path}\n`);
  if (start < 0) return false;
  const end = diff.indexOf('\ndiff --git ', start);
  const section = diff.slice(start, end < 0 ? start + HEAD_CHARS : Math.min(end, start + HEAD_CHARS));
  return section.includes('\nGIT binary patch\n') || section.includes('\nBinary files ');
}

/** The lines before the content of a section lie within these. */
const HEAD_CHARS = 10_000;

function pathOf(name: string | undefined): string | null {
  return name === undefined || name === '' || name === NOWHERE ? null : unquote(name);
}

/** git writes bytes that are not plain ASCII as octal escapes. */
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
