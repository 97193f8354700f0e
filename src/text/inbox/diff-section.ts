import { diffFiles, diffSections } from '../../lib/diff-files.js';
import { visibleLines } from '../../lib/shell-word.js';
import { whyFolded } from '../../view/folded-path.js';
import type { Tone } from '../../view/lines/tone.js';
import { oneLine } from '../../view/lines/words.js';
import { wrapLines } from './wrap-lines.js';

/** How the files of a diff are shown. */
export interface DiffLook {
  /** By path, against what the path says. */
  readonly folds: Readonly<Record<string, boolean>>;
  /** Index of the file that `f` folds; -1 = none was jumped to. */
  readonly fileAt: number;
}

/** One file of a diff as lines; the first is its head. */
export interface FileLines {
  readonly path: string;
  readonly isFolded: boolean;
  readonly lines: readonly InboxLine[];
}

/**
 * A unified diff, file by file. No line is left out of a file that is not folded; what stands
 * before the first file is a file without a name.
 */
export function fileLines(diff: string, columns: number, { folds, fileAt }: DiffLook): readonly FileLines[] {
  return sectionsOf(diff).map((text, index) => {
    const [file] = diffFiles(text);
    const path = file?.path ?? '';
    const lines = text.split('\n').flatMap((line) => diffLine(line, columns));
    if (file === undefined) return { path, isFolded: false, lines };
    const why = whyFolded(path);
    const isFolded = folds[path] ?? why !== null;
    const counts = file.isBinary ? 'binary' : `+${file.added} -${file.removed}`;
    const change = file.change === 'changed' ? '' : `  ${file.change}`;
    const from = file.oldPath === null ? '' : ` from ${oneLine(file.oldPath, 200)}`;
    const note = `${why === null ? '' : `  ${why}`}${isFolded ? '  folded, f opens' : ''}`;
    const sign = `${index === fileAt ? '>' : ' '}${isFolded ? '▸' : '▾'}`;
    const words = `${sign} ${oneLine(path, 300)}${from}  ${counts}${change}${note}`;
    const head: InboxLine = { tone: 'strong', text: words };
    return { path, isFolded, lines: isFolded ? [head] : [head, ...lines] };
  });
}

/** git begins a file with `diff --git`; a plain diff with `---`. */
function sectionsOf(diff: string): readonly string[] {
  const ofGit = diffSections(diff);
  const isGit = ofGit.some((text) => text.startsWith('diff --git '));
  return (isGit ? ofGit : diff.split(/(?<![^\n])(?=--- [^\n]*\n\+\+\+ )/))
    .map((text) => text.replace(/\n$/, ''))
    .filter((text) => text.trim() !== '');
}

/** `+`, `-` and `@@` stay in front: colour only repeats them. Nothing of a line hides. */
export function diffLine(text: string, columns: number): readonly InboxLine[] {
  const tone: Tone = text.startsWith('+')
    ? 'good'
    : text.startsWith('-')
      ? 'bad'
      : text.startsWith('@@') || text.startsWith('diff --git ')
        ? 'dim'
        : 'plain';
  return wrapLines(visibleLines(text), columns - 2).map((part) => ({ tone, text: `  ${part}` }));
}

export interface InboxLine {
  readonly tone: Tone;
  readonly text: string;
}
