import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KIT = '@kit-run/kit';
/** Packages by which kit is installed; each is installed once, into the cache. */
const PNPM_12 = 'pnpm@12.21.0';
const PNPM_10 = 'pnpm@10.34.0';
const YARN = 'yarn@1.22.22';

const PROJECT = { name: 'somebody', version: '1.0.0', private: true };

/** A project of somebody, with what its package.json says beyond its name. */
function project(place, more = {}) {
  const folder = join(place, 'project');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...PROJECT, ...more }, null, 2));
  return folder;
}

const inProject = (...install) => ({
  prepare: (place) => project(place),
  install: [install],
  program: (folder) => [join(folder, 'node_modules/.bin/kit')],
});

/** A workspace of pnpm, one package of which uses kit. */
function member(place) {
  const folder = project(place, { packageManager: 'pnpm@12.21.0' });
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'packages: [members/*]\n');
  const inner = join(folder, 'members/one');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, 'package.json'), JSON.stringify({ ...PROJECT, name: 'one' }, null, 2));
  return inner;
}

const global = (bin, ...install) => ({
  prepare: (place) => place,
  install: [install],
  program: (place) => [join(place, bin, 'kit')],
});

/**
 * Ways in which kit comes to a machine. `method`: what kit calls it; null: it is not an
 * installation that kit changes.
 */
export const KINDS = [
  { name: 'npm-global', method: 'npm-global', ...global('npm/bin', 'npm', 'install', '--global', `${KIT}@0.1.0`) },
  { name: 'npm-local', method: 'npm-local', ...inProject('npm', 'install', `${KIT}@0.1.0`) },
  { name: 'npm-dev', method: 'npm-local', group: 'dev', ...inProject('npm', 'install', '--save-dev', `${KIT}@0.1.0`) },
  {
    name: 'pnpm-global',
    method: 'pnpm-global',
    needs: PNPM_10,
    ...global('pnpm', 'pnpm', 'add', '--global', `${KIT}@0.1.0`),
  },
  {
    name: 'pnpm-12-global',
    method: 'pnpm-store',
    isManual: true,
    needs: PNPM_12,
    ...global('pnpm/bin', 'pnpm', 'add', '--global', `${KIT}@0.1.0`),
  },
  { name: 'pnpm-local', method: 'pnpm-local', needs: PNPM_12, ...inProject('pnpm', 'add', `${KIT}@0.1.0`) },
  {
    name: 'pnpm-dev',
    method: 'pnpm-local',
    group: 'dev',
    needs: PNPM_10,
    ...inProject('pnpm', 'add', '--save-dev', `${KIT}@0.1.0`),
  },
  {
    name: 'pnpm-member',
    method: 'pnpm-local',
    needs: PNPM_12,
    ...inProject('pnpm', 'add', `${KIT}@0.1.0`),
    prepare: member,
  },
  { name: 'yarn-local', method: 'yarn-local', needs: YARN, ...inProject('yarn', 'add', `${KIT}@0.1.0`) },
  {
    name: 'yarn-dev',
    method: 'yarn-local',
    group: 'dev',
    needs: YARN,
    ...inProject('yarn', 'add', '--dev', `${KIT}@0.1.0`),
  },
  {
    name: 'yarn-global',
    method: 'yarn-global',
    needs: YARN,
    ...global('npm/bin', 'yarn', 'global', 'add', `${KIT}@0.1.0`),
  },
  {
    name: 'npx',
    method: 'npx',
    isManual: true,
    prepare: (place) => place,
    install: [],
    program: () => ['npx', '--yes', `${KIT}@0.1.0`],
  },
  {
    name: 'container',
    method: 'container',
    isManual: true,
    isContainer: true,
    ...global('npm/bin', 'npm', 'install', '--global', `${KIT}@0.1.0`),
  },
  {
    name: 'checkout',
    says: 'git pull',
    method: 'checkout',
    isManual: true,
    prepare: (place) => place,
    install: [],
    program: (_place, root) => [process.execPath, join(root, 'bin/kit.js')],
  },
];
