import { dirname, join, sep } from 'node:path';
import { isBelow } from '../../lib/is-inside.js';
import type { InstallKind } from '../../view/upgrade-report.js';
import { TARGET } from '../../view/wire-upkeep.js';

/** Names of packages. */
export interface Manifest {
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

/** What the machine says of the place where kit lies. */
export interface PlaceFacts {
  /** Real path of the package. */
  readonly root: string;
  readonly name: string;
  /** The program as it was started, its links not followed. */
  readonly started: string;
  /** Where the person is. */
  readonly cwd: string;
  /** Whether a file or a folder is there. */
  readonly has: (path: string) => boolean;
  /** What the package.json in a folder depends on. */
  readonly manifest: (folder: string) => Manifest;
  /** This process runs in a container. */
  readonly isContainer: boolean;
}

type Managed = Extract<InstallKind, { readonly command: unknown }>;

/** Where a package lies that is linked from the one store of pnpm (pnpm 11 and later, globally). */
const isInStore = (root: string): boolean => /\/v\d+\/links\/@/.test(root.split(sep).join('/'));

/** Folder of pnpm for what is installed for a user, whatever PNPM_HOME says. */
const isGlobal = (path: string): boolean => /\/(global|pnpm-global)\/v?\d+\//.test(path.split(sep).join('/'));

const endOf = ({ name }: Pick<PlaceFacts, 'name'>): string => join('node_modules', ...name.split('/'));

const names = (facts: PlaceFacts, folder: string): boolean => {
  const { dependencies, devDependencies } = facts.manifest(folder);
  return dependencies.includes(facts.name) || devDependencies.includes(facts.name);
};

/** Where the program was started, if that links to a store of pnpm; null = it does not. */
function startedIn(facts: PlaceFacts): string | null {
  const at = facts.started.lastIndexOf(`${sep}${endOf(facts)}${sep}`);
  const isLink = at >= 0 && !isInStore(facts.started) && !facts.started.includes(`${sep}.pnpm${sep}`);
  return isLink ? join(facts.started.slice(0, at), 'node_modules') : null;
}

/** The package of a workspace of pnpm in which the person is, if it names kit; null = none. */
function memberIn(facts: PlaceFacts, workspace: string): string | null {
  const { cwd, has } = facts;
  for (let folder = cwd; isBelow(workspace, folder); folder = dirname(folder))
    if (has(join(folder, endOf(facts))) && names(facts, folder)) return join(folder, 'node_modules');
  return null;
}

/** The `node_modules` that holds the package, or its link; null = none does. */
function modulesOf(facts: PlaceFacts): string | null {
  const { root } = facts;
  const pnpm = root.indexOf(`${sep}.pnpm${sep}`);
  if (isInStore(root)) return startedIn(facts);
  if (pnpm < 0)
    return root.endsWith(`${sep}${endOf(facts)}`)
      ? join(root.slice(0, -endOf(facts).length - 1), 'node_modules')
      : null;
  // Of a project it lies in `node_modules`, globally beside it.
  const modules = root.slice(0, pnpm).replace(/([/]node_modules)?$/, `${sep}node_modules`);
  return startedIn(facts) ?? memberIn(facts, dirname(modules)) ?? modules;
}

const manual = (kind: Exclude<InstallKind, Managed>['kind'], how: string): InstallKind => ({ kind, how });

function managed(facts: PlaceFacts, modules: string): InstallKind {
  const { root, name, has, manifest } = facts;
  const folder = dirname(modules);
  const program = join(modules, ...name.split('/'), 'bin', 'kit.js');
  // Where another package of a workspace, or a dependency, brought it, nothing is to be added here.
  const ofProject = (kindOf: (isDev: boolean) => Managed): InstallKind => {
    return names(facts, folder)
      ? kindOf(manifest(folder).devDependencies.includes(name))
      : manual(
          'unknown',
          `the package.json in ${folder} does not name it: install ${name}@${TARGET} for the one that does`,
        );
  };
  const words = `${sep}${modules.split(sep).join('/')}/`;
  if (root.includes(`${sep}.pnpm${sep}`) || isInStore(root)) {
    if (isGlobal(words))
      return { kind: 'pnpm-global', command: ['pnpm', 'add', '--global', TARGET], cwd: folder, program };
    return ofProject((isDev) => ({
      kind: 'pnpm-local',
      command: ['pnpm', 'add', ...(isDev ? ['--save-dev'] : []), TARGET],
      cwd: folder,
      program,
    }));
  }
  if (/\/yarn\/(data\/)?global\//.test(words))
    return { kind: 'yarn-global', command: ['yarn', 'global', 'add', TARGET], cwd: folder, program };
  if (has(join(folder, 'yarn.lock')))
    return ofProject((isDev) => ({
      kind: 'yarn-local',
      command: ['yarn', 'add', ...(isDev ? ['--dev'] : []), TARGET],
      cwd: folder,
      program,
    }));
  if (has(join(folder, 'package.json')))
    return ofProject((isDev) => ({
      kind: 'npm-local',
      command: ['npm', 'install', isDev ? '--save-dev' : '--save', TARGET],
      cwd: folder,
      program,
    }));
  // `<prefix>/lib/node_modules`; where there is no `lib`, the folder is the prefix.
  const prefix = folder.endsWith(`${sep}lib`) ? dirname(folder) : folder;
  return {
    kind: 'npm-global',
    command: ['npm', 'install', '--global', '--prefix', prefix, TARGET],
    cwd: prefix,
    program,
  };
}

/** How kit came here. Pure. */
export function installKind(facts: PlaceFacts): InstallKind {
  const { root, name, has, isContainer } = facts;
  if (has(join(root, '.git')) || has(join(root, 'tsconfig.json')))
    return manual('checkout', `this is a checkout: git pull && npm ci in ${root}`);
  if (root.split(sep).includes('_npx'))
    return manual('npx', `npx keeps it for a while: run npx ${name}@${TARGET} to use another one`);
  if (isContainer) return manual('container', `this is a container: build or pull an image with ${name}@${TARGET}`);
  const modules = modulesOf(facts);
  // Each version gets a folder of its own there, so that nobody knows where the next one lies.
  if (isInStore(root) && (modules === null || isGlobal(modules)))
    return manual('pnpm-store', `pnpm keeps it in its store: run pnpm add --global ${name}@${TARGET}`);
  return modules === null
    ? manual('unknown', `nobody knows who installed ${root}: install ${name}@${TARGET} in the same way`)
    : managed(facts, modules);
}
