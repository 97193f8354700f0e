import { dirname, join, sep } from 'node:path';
import { type InstallKind, TARGET } from '../../view/upgrade-report.js';

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

/** The `node_modules` that holds the package, or its link; null = none does. */
function modulesOf({ root, name, started }: PlaceFacts): string | null {
  const end = join('node_modules', ...name.split('/'));
  const pnpm = root.indexOf(`${sep}.pnpm${sep}`);
  const at = pnpm >= 0 || isInStore(root) ? started.lastIndexOf(`${sep}${end}${sep}`) : -1;
  // A workspace of pnpm has one store, and each of its packages links of its own.
  if (at >= 0 && !isInStore(started) && !started.includes(`${sep}.pnpm${sep}`))
    return join(started.slice(0, at), 'node_modules');
  if (isInStore(root)) return null;
  // Of a project it lies in `node_modules`, globally beside it.
  if (pnpm >= 0) return root.slice(0, pnpm).replace(/([\\/]node_modules)?$/, `${sep}node_modules`);
  return root.endsWith(`${sep}${end}`) ? join(root.slice(0, -end.length - 1), 'node_modules') : null;
}

const manual = (kind: Exclude<InstallKind, Managed>['kind'], how: string): InstallKind => ({ kind, how });

function managed(facts: PlaceFacts, modules: string): InstallKind {
  const { root, name, has, manifest } = facts;
  const folder = dirname(modules);
  const program = join(modules, ...name.split('/'), 'bin', 'kit.js');
  // Where another package of a workspace, or a dependency, brought it, nothing is to be added here.
  const ofProject = (kindOf: (isDev: boolean) => Managed): InstallKind => {
    const { dependencies, devDependencies } = manifest(folder);
    const isDev = devDependencies.includes(name);
    return isDev || dependencies.includes(name)
      ? kindOf(isDev)
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
