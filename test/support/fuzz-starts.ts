// Which artifact a case is: the same for the same seed and number.
import { globSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { randomFrom } from './crash-share.js';
import { mutate, oneOf, type Random } from './fuzz-mutations.js';

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
      return files
        .filter((file) => file.endsWith('.yaml'))
        .map((path) => ({ path, text: texts[path] ?? '', others: texts }));
    });
}

/** A mutated artifact inside its workspace. */
export interface FuzzCase {
  readonly path: string;
  readonly text: string;
  /** Every file of the workspace, the artifact among them. */
  readonly files: ReadonlyMap<string, string>;
  /** Goes on where the making of the case ended. */
  readonly random: Random;
}

/** The cases of a seed by number. */
export function fuzzCases(seed: number): (index: number) => FuzzCase {
  const starts = [...fixtureStarts(), ...workspaceStarts()];
  return (index) => {
    const random = randomFrom(seed * 1_000_003 + index);
    for (let skip = 0; skip < 3; skip++) random();
    const start = oneOf(random, starts);
    const text = mutate(start.text, oneOf(random, starts).text, random);
    const path = random() < 0.06 ? start.path.replace(/yaml$/, oneOf(random, ['yml', 'json'])) : start.path;
    const { [start.path]: _replaced, ...others } = start.others;
    return { path, text, files: new Map(Object.entries({ ...others, [path]: text })), random };
  };
}
