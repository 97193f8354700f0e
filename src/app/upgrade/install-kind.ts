import { dirname, join, sep } from 'node:path';
import { type InstallKind, TARGET } from '../../view/upgrade-report.js';

/** What the machine says of the place where kit lies. */
export interface PlaceFacts {
  /** Real path of the package. */
  readonly root: string;
  readonly name: string;
  /** The program as it was started, its links not followed. */
  readonly started: string;
  /** Whether a file or a folder is there. */
  readonly has: (path: string) => boolean;
  /** Dev dependencies of the package.json in a folder. */
  readonly devDependencies: (folder: string) => readonly string[];
  /** This process runs in a container. */
  readonly isContainer: boolean;
}

type Managed = Extract<InstallKind, { readonly command: unknown }>;

/** Where a package lies that is linked from the one store of pnpm (pnpm 11 and later, globally). */
const isInStore = (root: string): boolean => /\/v\d+\/links\/@/.test(root.split(sep).join('/'));

/** Folder of pnpm for what is installed for a user, whatever PNPM_HOME says. */
const isGlobal = (path: string): boolean => /\/(global|pnpm-global)\/v?\d+\//.test(path.split(sep).join('/'));

/** The `node_modules` that holds the package; null = none does. */
function modulesOf({ root, name, started }: PlaceFacts): string | null {
  const end = join('node_modules', ...name.split('/'));
  if (isInStore(root)) {
    const at = started.lastIndexOf(`${sep}${end}${sep}`);
    return at < 0 || isInStore(started) ? null : join(started.slice(0, at), 'node_modules');
  }
  const pnpm = root.indexOf(`${sep}.pnpm${sep}`);
  // Of a project it lies in `node_modules`, globally beside it.
  if (pnpm >= 0) return root.slice(0, pnpm).replace(/([\\/]node_modules)?$/, `${sep}node_modules`);
  return root.endsWith(`${sep}${end}`) ? join(root.slice(0, -end.length - 1), 'node_modules') : null;
}

const manual = (kind: Exclude<InstallKind, Managed>['kind'], how: string): InstallKind => ({ kind, how });

function managed(facts: PlaceFacts, modules: string): Managed {
  const { root, name, has, devDependencies } = facts;
  const folder = dirname(modules);
  const program = join(modules, ...name.split('/'), 'bin', 'kit.js');
  const isDev = devDependencies(folder).includes(name);
  const words = `${sep}${modules.split(sep).join('/')}/`;
  if (root.includes(`${sep}.pnpm${sep}`) || isInStore(root)) {
    if (isGlobal(words))
      return { kind: 'pnpm-global', command: ['pnpm', 'add', '--global', TARGET], cwd: folder, program };
    return {
      kind: 'pnpm-local',
      command: ['pnpm', 'add', ...(isDev ? ['--save-dev'] : []), TARGET],
      cwd: folder,
      program,
    };
  }
  if (/\/yarn\/(data\/)?global\//.test(words))
    return { kind: 'yarn-global', command: ['yarn', 'global', 'add', TARGET], cwd: folder, program };
  if (has(join(folder, 'yarn.lock')))
    return { kind: 'yarn-local', command: ['yarn', 'add', ...(isDev ? ['--dev'] : []), TARGET], cwd: folder, program };
  if (has(join(folder, 'package.json')))
    return {
      kind: 'npm-local',
      command: ['npm', 'install', isDev ? '--save-dev' : '--save', TARGET],
      cwd: folder,
      program,
    };
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
