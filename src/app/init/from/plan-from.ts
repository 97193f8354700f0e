import { WORKSPACE_FILES } from '../../../compile/discover/layout.js';
import type { OpenSource, SourceOrigin } from '../../../domain/ports/workspace-sources.js';
import type { InitExtra } from '../extras.js';
import type { InitPlan } from '../init-workspace.js';
import type { InitDeps } from '../plan-extras.js';
import { planExtras } from '../plan-extras.js';
import { topologyNames, variablesToSet } from '../plan-init.js';
import { assertFree, targetDirectory } from '../target.js';
import { admit, BOUNDS, isLeftOut } from './admit.js';
import { parseSource } from './parse-source.js';
import { type ProgramUse, programUses } from './programs.js';

/** Where a workspace comes from, and where it goes. */
export interface FromRequest {
  readonly directory: string;
  /** A git URL, an npm package, a directory or a packed archive, as it was typed. */
  readonly from: string;
  /** Files around it; default none. */
  readonly extras?: readonly InitExtra[];
}

/** What would be written where. Nothing was written, and nothing of it was started. */
export interface FromPlan extends Pick<InitPlan, 'directory' | 'topologies' | 'variables'> {
  readonly origin: SourceOrigin;
  /** The origin in one line: the exact commit, version or archive. */
  readonly source: string;
  readonly files: readonly { readonly path: string; readonly text: string | Uint8Array }[];
  readonly programs: readonly ProgramUse[];
  /** Names of the source that are not taken; '.git' and the like. */
  readonly leftOut: readonly string[];
  /** Files that are left out because the project has its own. */
  readonly skipped: readonly string[];
}

export interface FromDeps extends Pick<InitDeps, 'files' | 'packageRoot'> {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly openSource: OpenSource;
}

/** What every project has of its own. */
const OPTIONAL = [
  'README.md',
  'LICENSE',
  'LICENSE.md',
  'CHANGELOG.md',
  '.gitignore',
  'package.json',
  'package-lock.json',
];

/** One line that says what was taken: the exact commit, version or archive. */
function originText(origin: SourceOrigin): string {
  switch (origin.kind) {
    case 'git':
      return `${origin.url} at ${origin.commit}`;
    case 'npm':
      return `npm ${origin.name}@${origin.version} ${origin.integrity}`;
    case 'tarball':
      return `${origin.path} ${origin.integrity}`;
    case 'directory':
      return origin.path;
  }
}

/** The workspace file says where it comes from. JSON has no comments, a directory no version. */
function withOrigin(path: string, bytes: Uint8Array, origin: SourceOrigin): string | Uint8Array {
  const isNoted = WORKSPACE_FILES.some((name) => name === path) && !path.endsWith('.json');
  const isTraceable = origin.kind === 'git' || origin.kind === 'npm';
  return isNoted && isTraceable ? `# From ${originText(origin)}\n${new TextDecoder().decode(bytes)}` : bytes;
}

/** See `AuthoringApp.planFrom`. */
export async function planFrom(request: FromRequest, deps: FromDeps): Promise<FromPlan> {
  const directory = await targetDirectory(request.directory, deps);
  const isDirectory = async (path: string): Promise<boolean> => (await deps.files.list(path)) !== null;
  const isFile = async (path: string): Promise<boolean> =>
    (await deps.files.realPath(path)) !== null && !(await isDirectory(path));
  const source = await parseSource(request.from, { cwd: deps.cwd, isDirectory, isFile });
  const opened = await deps.openSource(source, BOUNDS, isLeftOut);
  try {
    const { files, leftOut } = admit(opened.entries);
    const skipped = await assertFree(directory, files, deps, OPTIONAL);
    const taken = files.filter(({ path }) => !skipped.includes(path));
    const contents = await opened.read([...new Set(taken.map(({ from }) => from))]);
    const read = taken.map(({ path, from }) => ({ path, bytes: contents.get(from) ?? new Uint8Array() }));
    const texts = read.map(({ path, bytes }) => ({ path, text: new TextDecoder().decode(bytes) }));
    const beside = await planExtras(directory, read, request.extras ?? [], deps);
    const own = new Set(read.map(({ path }) => path));
    return {
      directory,
      origin: opened.origin,
      source: originText(opened.origin),
      files: [
        ...read.map(({ path, bytes }) => ({ path, text: withOrigin(path, bytes, opened.origin) })),
        ...beside.files.filter(({ path }) => !own.has(path)),
      ],
      programs: programUses(texts),
      leftOut,
      topologies: [...new Set(topologyNames(texts))],
      variables: variablesToSet(texts, deps.environment),
      skipped: [...skipped, ...beside.skipped],
    };
  } finally {
    await opened.close();
  }
}
