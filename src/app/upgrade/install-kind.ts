import { dirname, join, sep } from 'node:path';
import type { InstallKind } from '../../view/upgrade-report.js';

/** What the machine says of the place where kit lies. */
export interface PlaceFacts {
  /** Real path of the package. */
  readonly root: string;
  readonly name: string;
  /** Whether a file or a folder is there. */
  readonly has: (path: string) => boolean;
  /** Dev dependencies of the package.json in a folder. */
  readonly devDependencies: (folder: string) => readonly string[];
  /** This process runs in a container. */
  readonly isContainer: boolean;
}

export const TARGET = '{target}';

type Managed = Extract<InstallKind, { readonly command: unknown }>;

/** The `node_modules` that holds the package; null = none does. */
function modulesOf({ root, name }: PlaceFacts): string | null {
  const pnpm = root.indexOf(`${sep}.pnpm${sep}`);
  if (pnpm >= 0) return root.slice(0, pnpm);
  const end = join('node_modules', ...name.split('/'));
  return root.endsWith(`${sep}${end}`) ? join(root.slice(0, -end.length - 1), 'node_modules') : null;
}

const manual = (kind: 'npx' | 'container' | 'checkout' | 'unknown', how: string): InstallKind => ({ kind, how });

function managed(facts: PlaceFacts, modules: string): Managed {
  const { root, name, has, devDependencies } = facts;
  const folder = dirname(modules);
  const program = join(modules, ...name.split('/'), 'bin', 'kit.js');
  const isDev = devDependencies(folder).includes(name);
  const words = `${sep}${modules.split(sep).join('/')}/`;
  if (root.includes(`${sep}.pnpm${sep}`)) {
    if (/\/pnpm(-global)?\/(global\/)?\d+\//.test(words))
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
  return modules === null
    ? manual('unknown', `nobody knows who installed ${root}: install ${name}@${TARGET} in the same way`)
    : managed(facts, modules);
}
