// Runs mutated artifacts through the use case that `kit validate` calls, in a thread that a watchdog can end.
import { globSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import type { WorkspaceReport } from '../../src/app/workspace-report.js';
import type { Span } from '../../src/domain/diagnostic.js';
import type { Files } from '../../src/domain/ports/system.js';
import { validationGithub } from '../../src/ui/findings-github.js';
import { validationSarif } from '../../src/ui/findings-sarif.js';
import { validationJson } from '../../src/ui/validation-json.js';
import { validationText } from '../../src/ui/validation-text.js';
import { deps } from './compile.js';
import { randomFrom } from './crash-share.js';
import { below, mutate, oneOf, type Random } from './fuzz-mutations.js';

/** What the thread is told: cases `from` to `to` (exclusive) of a seed, and where it notes which one it is at. */
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

type Texts = Readonly<Record<string, string>>;
interface Start {
  /** Where the artifact lies. */
  readonly path: string;
  readonly text: string;
  /** The rest of its workspace. */
  readonly others: Texts;
}

const FOLDERS: Readonly<Record<string, string>> = {
  'role-registry': 'roles',
  'executor-adapter': 'adapters',
  'model-provider': 'providers',
  'eval-set': 'evals',
  topology: 'topologies',
};
const fixtures = new URL('../fixtures/', import.meta.url);
const read = (url: URL): string => readFileSync(url, 'utf8');

/** What artifacts of the fixtures may refer to. */
const COMPANIONS: Texts = {
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmcp_servers: [{ id: github, transport: stdio, command: [x] }]\n',
  'topologies/hello.yaml':
    'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: hello, version: 1.0.0 }\nagents: { root: { id: root, role: root, archetype: supervisor-root } }\n',
  'archetypes/root.yaml':
    'apiVersion: kit/v1\nkind: Archetype\nmetadata: { id: supervisor-root, name: Root, description: A root that hands work on to others. }\nrole: root\ndefaults: { model: { provider: mock, name: mock } }\nprovenance: { authored_by: human, version: 1.0.0 }\n',
  'roles/r.yaml':
    'apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: r, name: R }\nroles: [{ id: oms-lead, members: [alice], scopes: [design:approve] }]\n',
};

function fixtureStarts(): readonly Start[] {
  return globSync('artifacts/*/*/*.yaml', { cwd: fixtures })
    .sort()
    .flatMap((file) => {
      const kind = file.split('/')[1] ?? '';
      if (kind === 'approval-policy') return [];
      const text = read(new URL(file, fixtures));
      const path = kind === 'workspace' ? 'workspace.yaml' : `${FOLDERS[kind] ?? `${kind}s`}/${basename(file)}`;
      return [{ path, text, others: COMPANIONS }];
    });
}

/** Every artifact of small whole workspaces, among them the templates. */
function workspaceStarts(): readonly Start[] {
  const roots = [
    ...globSync('workspaces/*/workspace.yaml', { cwd: fixtures }).map((file) => new URL(posix.dirname(file), fixtures)),
    new URL('../../templates/hello', import.meta.url),
    new URL('../../templates/quickstart', import.meta.url),
  ];
  return roots
    .map((root) => root.href)
    .sort()
    .flatMap((root) => {
      const files = globSync('**/*.{yaml,md,json}', { cwd: new URL(`${root}/`), exclude: ['.kit/**'] }).sort();
      if (files.length > 14) return [];
      const texts = Object.fromEntries(files.map((file) => [file, read(new URL(file, `${root}/`))]));
      return files.filter((file) => file.endsWith('.yaml')).map((path) => ({ path, text: texts[path] ?? '', others: texts }));
    });
}

/** A file system that holds texts below `/w`. */
function memoryFiles(texts: ReadonlyMap<string, string>): Files {
  const inside = (path: string): string => posix.relative('/w', path);
  const isFolder = (path: string): boolean => path === '' || [...texts.keys()].some((name) => name.startsWith(`${path}/`));
  return {
    readText: async (path) => texts.get(inside(path)) ?? null,
    readBytes: async (path) => Buffer.from(texts.get(inside(path)) ?? ''),
    realPath: async (path) => (texts.has(inside(path)) || isFolder(inside(path)) ? path : null),
    list: async (directory) => {
      const folder = inside(directory);
      if (!isFolder(folder)) return null;
      const lead = folder === '' ? '' : `${folder}/`;
      const names = [...texts.keys()].filter((path) => path.startsWith(lead)).map((path) => path.slice(lead.length).split('/'));
      const kinds = new Map(names.map(([name = '', ...rest]) => [name, rest.length === 0 ? ('file' as const) : ('directory' as const)]));
      return [...kinds].map(([name, kind]) => ({ name, kind }));
    },
  };
}

const environment = { A: 'a: "b', KEY: 'sk-fuzz-secret-value' };

function spanProblem(span: Span, sources: ReadonlyMap<string, string>): string | null {
  const text = sources.get(span.path);
  if (text === undefined) return span.path.startsWith('bundled:') ? null : `a span lies in ${span.path}, which was not read`;
  const isInside = Number.isInteger(span.start) && Number.isInteger(span.end) && 0 <= span.start && span.start <= span.end && span.end <= text.length;
  return isInside ? null : `the span ${span.start}..${span.end} leaves ${span.path} (${text.length})`;
}

function spansOf(report: WorkspaceReport): readonly Span[] {
  const ofDiagnostics = report.diagnostics.flatMap(({ span, related }) => [
    ...(span === undefined ? [] : [span]),
    ...(related ?? []).map((one) => one.span),
  ]);
  return [...ofDiagnostics, ...report.notYet.flatMap(({ span }) => span ?? []), ...report.launches.flatMap(({ span }) => span ?? [])];
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
  const findings = { quiet, failures: [], workspaceDir: '/w', repositoryDir: oneOf(random, ['/w', '/', '/x']), version: '1.0.0', pages };
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
  const starts = [...fixtureStarts(), ...workspaceStarts()];
  const machine = deps(environment);
  const place = new Int32Array(at);
  const verdicts = { valid: 0, syntax: 0, schema: 0, rules: 0 };
  const codes = new Set<string>();
  const failures: FuzzFailure[] = [];
  let slowest = { ms: 0, index: -1 };
  for (let index = from; index < to && failures.length < 10; index++) {
    Atomics.store(place, 0, index);
    const random = randomFrom(seed * 1_000_003 + index);
    for (let skip = 0; skip < 3; skip++) random();
    const start = oneOf(random, starts);
    const text = mutate(start.text, oneOf(random, starts).text, random);
    const path = random() < 0.06 ? start.path.replace(/yaml$/, oneOf(random, ['yml', 'json'])) : start.path;
    const { [start.path]: _replaced, ...others } = start.others;
    const startedMs = performance.now();
    try {
      const files = memoryFiles(new Map(Object.entries({ ...others, [path]: text })));
      const report = await validateWorkspace('/w', { ...machine, files });
      for (const { code } of report.diagnostics) codes.add(code);
      verdicts[verdictOf(report)] += 1;
      const problem = problemOf(report, random);
      if (problem !== null) failures.push({ index, path, text, problem });
    } catch (error) {
      failures.push({ index, path, text, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
    const ms = performance.now() - startedMs;
    if (ms > slowest.ms) slowest = { ms, index };
  }
  return { verdicts, failures, codes: [...codes].sort(), slowestMs: slowest.ms, slowestIndex: slowest.index };
}

if (parentPort === null) throw new Error('this is the body of a worker thread');
parentPort.postMessage(await run(workerData as FuzzOrder)); // the test hands it over
