import { parsePatch, type StructuredPatch } from 'diff';
import { visible } from './visible.js';

/** One file of a diff, with all that whoever signs it has to see. */
export interface ChangedFile {
  readonly name: string;
  /** What no line tells: `new file mode 100755`, `rename from a`, the bytes of a binary file. */
  readonly facts: readonly string[];
  readonly hunks: StructuredPatch['hunks'];
}

/** Only a line feed ends a line: within one, a carriage return would begin a file that is none. */
const FILE = /(?<![^\n])(?=diff --git )/;
const HUNK = /(?<![^\n])@@ /;
/** Said by the name of the file, or by nothing that a person compares. */
const KNOWN = /^(?:diff --git |index |--- |\+\+\+ |Index: |={20,}|$)/;

/**
 * The files of a unified diff, none left out: one that has no lines (bytes, another mode, another
 * name, an empty file) is a change like any other. Null: the text is not read as a diff, and is
 * shown as it stands.
 */
export function changedFiles(text: string): readonly ChangedFile[] | null {
  const sections = text.split(FILE).filter((section) => section.trim() !== '');
  try {
    const files = sections.flatMap(filesOf);
    return files.length === 0 ? null : files;
  } catch {
    return null;
  }
}

/** git begins each file anew; a plain diff has its files in one section. */
function filesOf(section: string): readonly ChangedFile[] {
  const patches = parsePatch(section).filter(({ isGit, hunks }) => isGit === true || hunks.length > 0);
  const [first, ...others] = patches;
  if (first === undefined) throw new Error('not a diff');
  const [head = ''] = section.split(HUNK, 1);
  const facts = head.split('\n').filter((line) => !KNOWN.test(line));
  return [
    { name: nameOf(first), facts: facts.map(visible), hunks: first.hunks },
    ...others.map((other) => ({ name: nameOf(other), facts: [], hunks: other.hunks })),
  ];
}

const nameOf = ({ newFileName = '', oldFileName = '' }: StructuredPatch): string =>
  visible((newFileName === '/dev/null' ? oldFileName : newFileName).replace(/^[ab]\//, ''));
