// Lines of code of the product: TypeScript of src and plugins, without comments, blanks and
// generated files. A line counts when a token of the language stands on it.
import { execFileSync } from 'node:child_process';
import ts from 'typescript';

const SOURCE = /^(?:src|plugins\/[^/]+\/(?:src|web))\/.*\.(?:ts|tsx|cts|mts)$/;
/** What the generators write into `generated/` folders is not counted. */
const GENERATED = /(?:^|\/)generated\//;

export const isCounted = (path) => SOURCE.test(path) && !GENERATED.test(path);

/** `{ lines, code }` of the text of one file. */
export function countLines(path, text) {
  const all = text.split('\n');
  const lines = all.length - (all.at(-1) === '' ? 1 : 0);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const starts = file.getLineStarts();
  const held = new Set();
  const visit = (node) => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) {
      children.forEach(visit);
      return;
    }
    const [start, end] = [node.getStart(file), node.getEnd()];
    if (start === end) return;
    const last = file.getLineAndCharacterOfPosition(end - 1).line;
    for (let line = file.getLineAndCharacterOfPosition(start).line; line <= last; line += 1)
      if (text.slice(starts[line], starts[line + 1]).trim() !== '') held.add(line);
  };
  visit(file);
  return { lines, code: held.size };
}

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 ** 2 });

/** Paths and texts of a commit: one process for all of them. */
function textsAt(cwd, commit) {
  const rows = git(cwd, 'ls-tree', '-r', commit).trimEnd().split('\n');
  const files = rows.flatMap((row) => {
    const [, , object, path] = /^(\S+ \S+) (\S+)\t(.*)$/.exec(row) ?? [];
    return path !== undefined && isCounted(path) ? [{ object, path }] : [];
  });
  const out = execFileSync('git', ['cat-file', '--batch'], {
    cwd,
    input: files.map(({ object }) => `${object}\n`).join(''),
    maxBuffer: 1024 ** 3,
  });
  let at = 0;
  return files.map(({ path }) => {
    const head = out.indexOf(10, at);
    const bytes = Number(out.toString('utf8', at, head).split(' ')[2]);
    const text = out.toString('utf8', head + 1, head + 1 + bytes);
    at = head + bytes + 2;
    return { path, text };
  });
}

/** `[{ path, lines, code }]` of every counted file of a commit. */
export const codeAt = (cwd, commit) =>
  textsAt(cwd, commit).map(({ path, text }) => ({ path, ...countLines(path, text) }));

export const totalOf = (files) => files.reduce((sum, { code }) => sum + code, 0);

export function medianOf(files) {
  const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Lines of code by room or plugin: `src/engine`, `plugins/serve`. */
export function byPlace(files) {
  const sums = new Map();
  for (const { path, code } of files) {
    const place = path.split('/').slice(0, 2).join('/');
    sums.set(place, (sums.get(place) ?? 0) + code);
  }
  return sums;
}
