import type { RunChanges } from '../app/changes/changes-app.js';
import type { AgentChange, ChangedFile } from '../domain/changes.js';
import { visibleLines } from '../lib/shell-word.js';
import { countText, oneLine } from '../view/lines/words.js';
import { createPaint, type Paint } from './lines/paint.js';

/** The changes of a run on a terminal: a head for each agent, then its diff, coloured by file. */
export function diffText({ changes }: RunChanges, options: { readonly color: boolean }): string {
  const paint = createPaint(options.color);
  return changes
    .map((change) => {
      const diff = visibleLines(change.diff.replace(/\n$/, ''));
      const lines = diff === '' ? [] : diff.split('\n').map((line) => paintLine(line, paint));
      return [headOf(change, paint), ...lines].join('\n');
    })
    .join('\n\n');
}

/** How much of which file, and the sum. */
export function diffStatText({ changes }: RunChanges, options: { readonly color: boolean }): string {
  const paint = createPaint(options.color);
  return changes
    .flatMap((change) => [headOf(change, paint), ...change.files.map((file) => `  ${statLine(file, paint)}`)])
    .join('\n');
}

/** `builder  2 files, +3 -1, partial (executor.max_turns), signed by ann`. */
function headOf(change: AgentChange, paint: Paint): string {
  const { agentId, files } = change;
  const sum = (of: (file: ChangedFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const size =
    files.length === 0
      ? 'no file changed'
      : `${countText(files.length, 'file')}, +${sum((file) => file.added)} -${sum((file) => file.removed)}`;
  return `${paint('strong', oneLine(agentId, 60))}  ${[size, ...notesOf(change)].join(', ')}`;
}

function notesOf({ state, reason, signed }: AgentChange): readonly string[] {
  const whole = state === 'whole' ? [] : [`${state} (${oneLine(reason ?? '')})`];
  if (signed === null) return whole;
  const by = signed.by.length === 0 ? '' : ` by ${signed.by.map((person) => oneLine(person, 60)).join(', ')}`;
  return [...whole, `gate ${oneLine(signed.gateId, 120)} ${signed.status}${by}${signed.isSame ? '' : ', other bytes'}`];
}

const LETTERS = { added: 'A', deleted: 'D', renamed: 'R', changed: 'M' } as const;

function statLine({ path, oldPath, change, isBinary, added, removed }: ChangedFile, paint: Paint): string {
  const name = oldPath === null ? oneLine(path) : `${oneLine(oldPath)} -> ${oneLine(path)}`;
  const size = isBinary ? 'binary' : `${paint('good', `+${added}`)} ${paint('bad', `-${removed}`)}`;
  return `${LETTERS[change]} ${name}  ${size}`;
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith('diff --git ')) return paint('strong', line);
  if (line.startsWith('+++ ') || line.startsWith('--- ') || line.startsWith('index ')) return paint('dim', line);
  if (line.startsWith('@@')) return paint('warn', line);
  if (line.startsWith('+')) return paint('good', line);
  return line.startsWith('-') ? paint('bad', line) : line;
}
