import { type Document, LineCounter, type ParsedNode, parseAllDocuments, visit, type YAMLError } from 'yaml';
import type { Diagnostic, SourceFile } from '../../domain/diagnostic.js';
import { isObject } from '../../lib/json.js';
import { aliasTargets } from './alias-targets.js';
import { makeSpans } from './node-spans.js';
import type { NodeProblem } from './node-to-json.js';
import { toJson } from './node-to-json.js';
import type { ParseResult } from './parsed-source.js';
import { sentenceOf } from './yaml-sentences.js';

/** Of one file: parsing a file of 30 MB took a minute. */
const MAX_BYTES = 5 * 1024 * 1024;

/** What reading UTF-16 or a binary file as UTF-8 leaves. */
const NOT_UTF8 = /^\ufffd|\0/;

/**
 * Errors of syntax point at `/<line N>`: there is no tree yet that a pointer could lead into
 * (docs/design/workspace.md#diagnostics).
 */
function syntaxError(source: SourceFile, problem: NodeProblem, line: number): Diagnostic {
  const start = Math.min(problem.start, source.text.length);
  const end = Math.min(Math.max(problem.end, start), source.text.length);
  return {
    code: 'workspace.yaml-parse',
    severity: 'error',
    message: problem.message,
    path: source.path,
    pointer: `/<line ${line}>`,
    span: { path: source.path, start, end },
    ...(problem.help === undefined ? {} : { help: problem.help }),
    ...(problem.first === undefined
      ? {}
      : { related: [{ span: { path: source.path, ...problem.first }, message: 'first given here' }] }),
  };
}

function malformed(source: SourceFile, message: string, help: string): ParseResult {
  const span = { path: source.path, start: 0, end: source.text.length };
  return {
    parsed: null,
    diagnostics: [
      { code: 'workspace.malformed', severity: 'error', message, path: source.path, pointer: '', span, help },
    ],
  };
}

/** Where a byte that is not UTF-8 was read; null = nowhere. A model would get the gap as text. */
function lostLetter(text: string): NodeProblem | null {
  const at = text.indexOf('\ufffd');
  if (at === -1) return null;
  return {
    start: at,
    end: at + 1,
    message: 'a letter here is not UTF-8',
    help: 'save the file as UTF-8 in your editor, and write the letter again if it is lost',
  };
}

const problemOf = (error: YAMLError): NodeProblem => ({ start: error.pos[0], end: error.pos[1], ...sentenceOf(error) });

/** A key with a value, and a line below that would belong to it: one of them stands wrong. */
const NEXT_IS_DEEPER = {
  message: 'the next line is indented deeper than this one, which has a value already',
  help: 'give both lines the indentation of the mapping that they belong to',
};

export const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Whether the line behind that of `at` begins further in; blank ones and comments do not count. */
function isNextDeeper(text: string, at: number): boolean {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const [line = '', ...below] = text.slice(from).split('\n');
  const next = below.find((one) => !/^\s*(#|$)/.test(one));
  return next !== undefined && indentOf(next) > indentOf(line);
}

/** A quote that nobody closes runs to the end of the file: the place is where it is opened. */
function firstProblem(text: string, document: Document.Parsed<ParsedNode>, error: YAMLError): NodeProblem {
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && isNextDeeper(text, error.pos[0]))
    return { ...problemOf(error), ...NEXT_IS_DEEPER };
  const [, quote] = /^Missing closing (.)quote/.exec(error.message) ?? [];
  const opened = quote === undefined ? null : lastQuoted(document);
  if (quote === undefined || opened === null) return problemOf(error);
  return {
    start: opened,
    end: opened + 1,
    message: 'the quote that begins here is not closed',
    help: `write \`${quote}\` at the end of the text`,
  };
}

/** Where the last text in quotes begins. */
function lastQuoted(document: Document.Parsed<ParsedNode>): number | null {
  let last: number | null = null;
  visit(document, {
    Scalar: (_key, { type, range }) => {
      if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') last = range?.[0] ?? last;
    },
  });
  return last;
}

/** The parser descends by recursion: thousands of brackets end it, not the process. */
function documentsOf(text: string, lines: LineCounter): readonly Document.Parsed<ParsedNode>[] | NodeProblem {
  try {
    const found = parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      version: '1.2',
      uniqueKeys: false,
      stringKeys: false,
      logLevel: 'silent',
    });
    return Array.isArray(found) ? found : [];
  } catch (error) {
    if (error instanceof RangeError) return { start: 0, end: 0, message: 'the file is nested too deep to be read' };
    throw error;
  }
}

function problemsOf(text: string, documents: readonly Document.Parsed<ParsedNode>[]): readonly NodeProblem[] {
  const [first, second] = documents;
  // One mistake of syntax makes the parser stumble many times; the first is the one to fix.
  const [error] = first?.errors ?? [];
  const problems = first === undefined || error === undefined ? [] : [firstProblem(text, first, error)];
  // A tag that nobody knows is a warning to the parser; to us it is text that means something else
  // than it says.
  problems.push(...(first?.warnings ?? []).filter((warning) => warning.code === 'TAG_RESOLVE_FAILED').map(problemOf));
  if (second !== undefined) {
    const start = second.range[0];
    problems.push({
      start,
      end: start,
      message: 'the file holds more than one document',
      help: 'keep one document a file and remove the line `---` between them',
    });
  }
  return problems;
}

/**
 * Parses one YAML (1.2) or JSON file into a mapping with its places. Refused: what is not a
 * mapping, several documents, duplicate keys, keys that are not text, unknown tags, aliases that
 * lead into themselves or grow beyond bounds, and what is over 5 MiB or 100,000 values. Never
 * throws.
 */
export function parseSource(source: SourceFile): ParseResult {
  if (Buffer.byteLength(source.text) > MAX_BYTES)
    return malformed(source, 'the file is larger than 5 MiB', 'divide it into several files');
  if (NOT_UTF8.test(source.text))
    return malformed(source, 'the file is not UTF-8 text', 'save it as UTF-8 in your editor');
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const fail = (problems: readonly NodeProblem[]): ParseResult => ({
    parsed: null,
    diagnostics: problems.map((problem) => syntaxError(source, problem, lineAt(problem.start))),
  });
  const lost = lostLetter(source.text);
  if (lost !== null)
    return {
      parsed: null,
      diagnostics: [syntaxError(source, lost, source.text.slice(0, lost.start).split('\n').length)],
    };
  const isJson = source.path.endsWith('.json');
  // Tabs may indent JSON and not YAML; same length, so every offset stays true.
  const documents = documentsOf(isJson ? source.text.replaceAll('\t', ' ') : source.text, lines);
  if (!Array.isArray(documents)) return fail([documents as NodeProblem]);
  const notJson = isJson ? jsonProblem(source.text) : null;
  if (notJson !== null) return fail([notJson]);
  const syntax = problemsOf(source.text, documents);
  if (syntax.length > 0) return fail(syntax);
  const root = documents[0]?.contents ?? null;
  if (root === null)
    return malformed(source, 'the file is empty', 'write a mapping that begins with `apiVersion: kit/v1`');
  const targetOf = aliasTargets(root);
  const { value, problems } = toJson(root, targetOf);
  if (problems.length > 0) return fail(problems);
  if (!isObject(value))
    return malformed(
      source,
      `the file holds ${Array.isArray(value) ? 'a list' : 'a single value'} instead of a mapping`,
      'write a mapping that begins with `apiVersion: kit/v1`',
    );
  return { parsed: { source, value, ...makeSpans(source, root, targetOf) }, diagnostics: [] };
}

/**
 * What makes a text no JSON, or null. YAML accepts more than JSON does (comments, bare words): a
 * `.json` file that only a YAML parser can read would surprise every other tool. The engine names a
 * position in most of its messages.
 */
function jsonProblem(text: string): NodeProblem | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ' '));
    return null;
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const start = position === undefined ? text.length : Number(position);
    return {
      start,
      end: Math.min(start + 1, text.length),
      message: 'the text is not valid JSON here',
      help: 'name the file .yaml to write comments or unquoted text',
    };
  }
}
