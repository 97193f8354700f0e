// The rules of layout that no formatter holds: how long a line may be, and how long a file.
import ts from 'typescript';

/** Of a line. */
export const MAX_COLUMNS = 120;
/** Of a line that is a comment and nothing else: prose is read in short lines. */
export const MAX_COMMENT_COLUMNS = 100;

/** A word to a tool, which must stand on one line. */
const PRAGMA = /^(\/\/|\/\*)\s*(biome-|oxlint-|@ts-|@vitest-|v8 )/;
/** The formatter keeps a title and the head of its function on one line, however long. */
const HEAD_AFTER_TITLE = /['"`], ((async )?(\(.*\)|\w+) => )?\{$/;

const columnsOf = (line) => [...line].length;

/**
 * What the formatter cannot cut (`uncut`), and the stretches of text in which two slashes are no
 * comment (`opaque`): of a template its text, and not its expressions.
 */
function literalsOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const [uncut, opaque] = [[], []];
  const visit = (node) => {
    const place = { start: node.getStart(source), end: node.end };
    if (ts.isTemplateExpression(node) || ts.isTemplateLiteralTypeNode(node)) uncut.push(place);
    else if (ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node)) {
      uncut.push(place);
      opaque.push(place);
    } else if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isJsxText(node)) {
      opaque.push({ start: node.pos, end: node.end });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { uncut, opaque };
}

/** All comments of a text, in order. Two slashes outside a literal can be nothing else. */
function commentsOf(text, opaque) {
  const inOrder = opaque.toSorted((a, b) => a.start - b.start);
  const comments = [];
  const marks = /\/\/.*|\/\*[\s\S]*?\*\//g;
  let next = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    while (next < inOrder.length && inOrder[next].end <= mark.index) next += 1;
    const literal = inOrder[next];
    if (literal !== undefined && literal.start <= mark.index) marks.lastIndex = literal.end;
    else comments.push({ start: mark.index, end: marks.lastIndex });
  }
  return comments;
}

/** Each line with its number and its place in the text. */
function linesOf(text) {
  let start = 0;
  return text.split('\n').map((line, index) => {
    const place = { line, number: index + 1, start, end: start + line.length };
    start = place.end + 1;
    return place;
  });
}

const isCommentLine = ({ line, start, end }, comments) => {
  const indented = line.length - line.trimStart().length;
  return comments.some((comment) => comment.start <= start + indented && end <= comment.end);
};

/** The lines of a text that are too long, each as a sentence that says where. */
export function longLines(path, text) {
  const long = linesOf(text).filter(({ line }) => columnsOf(line) > MAX_COMMENT_COLUMNS);
  if (long.length === 0) return [];
  const { uncut, opaque } = literalsOf(path, text);
  const comments = commentsOf(text, opaque);
  return long.flatMap((place) => {
    const { line, number, start } = place;
    const [columns, limit] = [columnsOf(line), start + MAX_COLUMNS];
    if (PRAGMA.test(line.trimStart())) return [];
    if (isCommentLine(place, comments))
      return [`${path}:${number}: a comment of ${columns} columns; wrap it at ${MAX_COMMENT_COLUMNS}`];
    if (columns <= MAX_COLUMNS || HEAD_AFTER_TITLE.test(line)) return [];
    if (uncut.some((literal) => literal.start < limit && limit <= literal.end)) return [];
    return [`${path}:${number}: a line of ${columns} columns; at most ${MAX_COLUMNS}`];
  });
}

/** Names that the field has words for (docs/design/words.md#private-words); the product alone. */
const PRIVATE_NAME =
  /\b(?:const|let|function\*?|interface|type) (tells?|told|untold|retold|hush|aside|nudge)\b|#(tell|told|untold|hush)\b/i;

/** Where a file of the product declares such a name, as a sentence that says what to do. */
export const privateNames = (path, text) =>
  /^(src|plugins)\//.test(path)
    ? linesOf(text).flatMap(({ line, number }) => {
        const [, declared, hidden] = PRIVATE_NAME.exec(line) ?? [];
        const name = declared ?? hidden;
        return name === undefined
          ? []
          : [
              `${path}:${number}: the name ${name} says too little; docs/design/words.md has report, notify, print, listener`,
            ];
      })
    : [];

/** Of a file that stands in no list. */
export const MAX_LINES = 250;
/** The bound of a larger file is the next multiple of this, so that it follows the file down. */
const STEP = 10;

/**
 * What is wrong with the length of a file, given its bound in the list of larger files (undefined =
 * none): it has outgrown it, or the bound can be lowered.
 */
export function lengthFault(path, text, bound) {
  const lines = text.split('\n').length - 1;
  if (lines > (bound ?? MAX_LINES)) return `${path}: ${lines} lines; at most ${bound ?? MAX_LINES}. Split it`;
  if (bound === undefined) return null;
  if (lines <= MAX_LINES) return `${path}: ${lines} lines; take it out of the list of larger files`;
  const fitting = Math.ceil(lines / STEP) * STEP;
  return fitting < bound ? `${path}: ${lines} lines; lower its bound from ${bound} to ${fitting}` : null;
}
