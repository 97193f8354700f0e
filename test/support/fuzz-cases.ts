// Runs mutated artifacts through the use case that `kit validate` calls, in a thread that a
// watchdog can end.
import { posix } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import type { WorkspaceReport } from '../../src/app/workspace-report.js';
import type { Span } from '../../src/domain/diagnostic.js';
import type { Files } from '../../src/domain/ports/system.js';
import { validationGithub } from '../../src/text/findings-github.js';
import { validationSarif } from '../../src/text/findings-sarif.js';
import { validationJson } from '../../src/text/validation-json.js';
import { validationText } from '../../src/text/validation-text.js';
import { deps } from './compile.js';
import { below, oneOf, type Random } from './fuzz-mutations.js';
import { fuzzCases } from './fuzz-starts.js';

/**
 * What the thread is told: cases `from` to `to` (exclusive) of a seed, and where it notes which one
 * it is at.
 */
export interface FuzzOrder {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly at: SharedArrayBuffer;
}

export interface FuzzFailure {
  readonly index: number;
  readonly path: string;
  readonly text: string;
  readonly problem: string;
}

/** How many cases ended where; every phase must be among them. */
export interface FuzzReport {
  readonly verdicts: Readonly<Record<'valid' | 'syntax' | 'schema' | 'rules', number>>;
  readonly failures: readonly FuzzFailure[];
  readonly codes: readonly string[];
  readonly slowestMs: number;
  readonly slowestIndex: number;
}

/** A file system that holds texts below `/w`. */
function memoryFiles(texts: ReadonlyMap<string, string>): Files {
  const inside = (path: string): string => posix.relative('/w', path);
  const isFolder = (path: string): boolean =>
    path === '' || [...texts.keys()].some((name) => name.startsWith(`${path}/`));
  return {
    readText: async (path) => texts.get(inside(path)) ?? null,
    readBytes: async (path) => Buffer.from(texts.get(inside(path)) ?? ''),
    realPath: async (path) => (texts.has(inside(path)) || isFolder(inside(path)) ? path : null),
    list: async (directory) => {
      const folder = inside(directory);
      if (!isFolder(folder)) return null;
      const lead = folder === '' ? '' : `${folder}/`;
      const names = [...texts.keys()]
        .filter((path) => path.startsWith(lead))
        .map((path) => path.slice(lead.length).split('/'));
      const kinds = new Map(
        names.map(([name = '', ...rest]) => [name, rest.length === 0 ? ('file' as const) : ('directory' as const)]),
      );
      return [...kinds].map(([name, kind]) => ({ name, kind }));
    },
  };
}

const environment = { A: 'a: "b', KEY: 'sk-fuzz-secret-value' };

function spanProblem(span: Span, sources: ReadonlyMap<string, string>): string | null {
  const text = sources.get(span.path);
  if (text === undefined)
    return span.path.startsWith('bundled:') ? null : `a span lies in ${span.path}, which was not read`;
  const isInside =
    Number.isInteger(span.start) &&
    Number.isInteger(span.end) &&
    0 <= span.start &&
    span.start <= span.end &&
    span.end <= text.length;
  return isInside ? null : `the span ${span.start}..${span.end} leaves ${span.path} (${text.length})`;
}

function spansOf(report: WorkspaceReport): readonly Span[] {
  const ofDiagnostics = report.diagnostics.flatMap(({ span, related }) => [
    ...(span === undefined ? [] : [span]),
    ...(related ?? []).map((one) => one.span),
  ]);
  return [
    ...ofDiagnostics,
    ...report.notYet.flatMap(({ span }) => span ?? []),
    ...report.launches.flatMap(({ span }) => span ?? []),
  ];
}

const pages = new Map<string, string>();
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

function problemOf(report: WorkspaceReport, random: Random): string | null {
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  if ((report.workspace === null) !== errors.length > 0)
    return `no clear verdict: ${errors.length} errors, workspace ${report.workspace === null ? 'null' : 'there'}`;
  const outside = spansOf(report)
    .map((span) => spanProblem(span, report.sources))
    .find((problem) => problem !== null);
  if (outside !== undefined) return outside;
  const quiet = random() < 0.2;
  const view = { tree: true, quiet, failures: [], color: false, width: 20 + below(random, 120) };
  const text = validationText(report, view);
  if (UNSAFE.test(text)) return `the text holds a control character: ${JSON.stringify(UNSAFE.exec(text)?.[0])}`;
  const findings = {
    quiet,
    failures: [],
    workspaceDir: '/w',
    repositoryDir: oneOf(random, ['/w', '/', '/x']),
    version: '1.0.0',
    pages,
  };
  const github = validationGithub(report, findings);
  if (UNSAFE.test(github)) return 'a workflow command holds a control character';
  const shown = quiet ? errors.length : report.diagnostics.length;
  if (github.split('\n').length !== shown + 1) return 'a workflow command goes over several lines';
  const all = JSON.stringify([validationJson(report, view), validationSarif(report, findings)]) + text + github;
  return all.includes(environment.KEY) ? 'the value of a secret is shown' : null;
}

type Verdict = keyof FuzzReport['verdicts'];
const verdictOf = (report: WorkspaceReport): Verdict => {
  const codes = report.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  if (codes.length === 0) return 'valid';
  if (codes.some((code) => code.startsWith('workspace.'))) return 'syntax';
  return codes.some((code) => code.startsWith('schema.')) ? 'schema' : 'rules';
};

async function run({ seed, from, to, at }: FuzzOrder): Promise<FuzzReport> {
  const caseOf = fuzzCases(seed);
  const machine = deps(environment);
  const place = new Int32Array(at);
  const verdicts = { valid: 0, syntax: 0, schema: 0, rules: 0 };
  const codes = new Set<string>();
  const failures: FuzzFailure[] = [];
  let slowest = { ms: 0, index: -1 };
  for (let index = from; index < to && failures.length < 10; index++) {
    Atomics.store(place, 0, index);
    const { path, text, files: texts, random } = caseOf(index);
    const startedMs = performance.now();
    try {
      const files = memoryFiles(texts);
      const report = await validateWorkspace('/w', { ...machine, files });
      for (const { code } of report.diagnostics) codes.add(code);
      verdicts[verdictOf(report)] += 1;
      const problem = problemOf(report, random);
      if (problem !== null) failures.push({ index, path, text, problem });
    } catch (error) {
      failures.push({
        index,
        path,
        text,
        problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    const ms = performance.now() - startedMs;
    if (ms > slowest.ms) slowest = { ms, index };
  }
  return { verdicts, failures, codes: [...codes].sort(), slowestMs: slowest.ms, slowestIndex: slowest.index };
}

if (parentPort === null) throw new Error('this is the body of a worker thread');
parentPort.postMessage(await run(workerData as FuzzOrder)); // the test hands it over
