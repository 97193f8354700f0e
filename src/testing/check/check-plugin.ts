import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KitError, messageOf } from '../../domain/errors.js';
import type { PluginCheckLine, PluginCheckReport, PluginCheckRequest } from '../../domain/ports/plugin-authoring.js';
import type { RunProgram } from '../../domain/ports/programs.js';
import { checkPackage, type TakenNames } from '../../host/check/check-package.js';
import { failed, passed, skipped } from '../../host/check/lines.js';
import { notPlugin, openPackageFolder } from '../../host/plugin-folder.js';
import { CONFORMANCE } from '../contract/suites.js';
import { checkContract } from './check-contract.js';
import { checkModule, type ModuleToCheck } from './check-modules.js';
import { type ChildParts, runChild } from './child.js';

const MANIFEST_FILE = 'oclif.manifest.json';
const SILENT_MS = 30_000;

type Made = { readonly manifest: object } | { readonly error: string };

/** A command's code runs in the process that answers: what arrives may be its own message. */
function isMade(value: unknown): value is Made {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('manifest' in value && typeof value.manifest === 'object' && value.manifest !== null) ||
    ('error' in value && typeof value.error === 'string')
  );
}

/** What the manifest has to hold, made from the commands in a process of its own. */
async function makeManifest(root: string, parts: ChildParts & { readonly manifest: string }): Promise<Made> {
  let made: Made | undefined;
  const request = { file: parts.manifest, args: [root], nodeArgs: [], silentMs: SILENT_MS, lingerMs: 1_000 };
  const end = await runChild(parts, request, (message) => {
    if (isMade(message)) made = message; // ours is the last
  });
  return (
    made ?? {
      error: end.stderr.trim() === '' ? 'the process that loads the commands ended' : end.stderr.trim().slice(0, 500),
    }
  );
}

/**
 * Writes the manifest. Throws KIT_PLUGIN_LOAD_FAILED when a command cannot be loaded; then nothing
 * is written.
 */
async function writeCommandManifest(root: string, parts: ChildParts & { readonly manifest: string }): Promise<void> {
  const made = await makeManifest(root, parts);
  if ('error' in made)
    throw new KitError('KIT_PLUGIN_LOAD_FAILED', `a command cannot be loaded: ${made.error}`, {
      hint: 'Correct the command; nothing was written.',
    });
  await writeFile(join(root, MANIFEST_FILE), `${JSON.stringify(made.manifest, null, 2)}\n`);
}

/** Compares the manifest with the commands as they are. */
async function checkCommandManifest(
  root: string,
  parts: ChildParts & { readonly manifest: string },
): Promise<PluginCheckLine> {
  const hint = 'Run `kit plugins check <dir> --write-manifest`.';
  const made = await makeManifest(root, parts);
  if ('error' in made) return failed('commands', MANIFEST_FILE, { message: made.error, hint: 'Correct the command.' });
  try {
    const written: unknown = JSON.parse(await readFile(join(root, MANIFEST_FILE), 'utf8'));
    const isFresh = isDeepStrictEqual(written, JSON.parse(JSON.stringify(made.manifest)));
    return isFresh
      ? passed('commands', MANIFEST_FILE)
      : failed('commands', MANIFEST_FILE, { message: 'it is not what the commands say now', hint });
  } catch (error) {
    return failed('commands', MANIFEST_FILE, { message: messageOf(error), hint });
  }
}

const TEST_FILE = /\.test\.m?js$/;
const TAIL_CHARS = 4_000;

/** Where the plugin's tests get kit's exports from, and what they see of the environment. */
interface TestParts {
  readonly preload: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: RunProgram;
}

/**
 * Runs the plugin's own tests with `node --test`, as its author would, with the exports of this
 * kit.
 */
async function checkTests(root: string, { preload, env, run }: TestParts): Promise<PluginCheckLine> {
  const files = (await readdir(join(root, 'test')).catch(() => [])).filter((name) => TEST_FILE.test(name)).sort();
  if (files.length === 0) return skipped('tests', 'test', 'there is no test/*.test.js');
  // A runner that runs kit must not make ours its child.
  const { NODE_TEST_CONTEXT: _context, ...own } = env;
  const args = ['--import', preload, '--test', '--test-reporter=spec', ...files.map((name) => join('test', name))];
  const startedMs = performance.now();
  const { code, stdout, stderr } = await run([process.execPath, ...args], { cwd: root, env: own, timeoutMs: null });
  const ms = Math.round(performance.now() - startedMs);
  const said = `${stdout}${stderr}`.slice(-TAIL_CHARS);
  const count = /tests (\d+)/.exec(said)?.[1] ?? '0';
  if (code === 0) return passed('tests', 'test', { message: `${count} tests`, ms });
  return failed('tests', 'test', { message: said.trim(), hint: 'Read what failed above.' });
}

/** What checking a plugin needs of the running kit. */
export interface CheckParts extends ChildParts {
  /** Modules that are started as processes. */
  readonly probe: string;
  readonly contract: string;
  readonly manifest: string;
  readonly taken: TakenNames;
  /** What the plugin's own tests see: they are the author's. */
  readonly testEnv: NodeJS.ProcessEnv;
  readonly run: RunProgram;
  readonly cwd: string;
}

const ok = (lines: readonly PluginCheckLine[]): boolean => lines.every(({ state }) => state !== 'failed');

/**
 * Checks a plugin as its author would before publishing. Runs its code, each module in a process of
 * its own that can write nothing and start nothing, then each contribution against the contract of
 * its point. Its lifecycle scripts never run. Throws KIT_USAGE for a folder that is not a plugin,
 * KIT_PLUGIN_LOAD_FAILED when `writeManifest` cannot load a command.
 */
export async function checkPlugin(request: PluginCheckRequest, parts: CheckParts): Promise<PluginCheckReport> {
  const root = resolve(parts.cwd, request.directory);
  const pjson = await openPackageFolder(root, 'KIT_USAGE');
  if (pjson.kit === undefined) throw notPlugin(root, 'its package.json has no `kit` key', 'KIT_USAGE');
  const hasCommands = pjson.oclif?.commands !== undefined;
  if (request.writeManifest && hasCommands) await writeCommandManifest(root, parts);
  const checked = await checkPackage(root, pjson, parts.taken);
  const modules: readonly ModuleToCheck[] = [
    ...checked.contributions.map(
      ({ point, declared }): ModuleToCheck => ({ file: declared.module, exports: { kind: 'contribution', point } }),
    ),
    ...checked.commands.flatMap(({ relativePath }): readonly ModuleToCheck[] =>
      relativePath === undefined ? [] : [{ file: `./${relativePath.join('/')}`, exports: { kind: 'command' } }],
    ),
  ];
  const lines: PluginCheckLine[] = [...checked.lines];
  const unsound = new Set<string>();
  for (const module of modules) {
    const found = await checkModule(root, module, parts).catch((error: unknown) => [
      {
        check: 'module',
        where: module.file,
        state: 'failed' as const,
        message: messageOf(error),
        hint: 'Correct the path.',
        ms: null,
      },
    ]);
    if (!ok(found)) unsound.add(module.file);
    lines.push(...found);
  }
  if (hasCommands && checked.commands.length > 0) lines.push(await checkCommandManifest(root, parts));
  // The host would refuse the whole plugin, or load a module that was just found to do harm.
  const isRegistered = ok(checked.lines.filter(({ check }) => ['manifest', 'api', 'schema'].includes(check)));
  for (const { point, declared } of checked.contributions) {
    if (!isRegistered || !Object.hasOwn(CONFORMANCE, point)) continue;
    if (unsound.has(declared.module)) {
      lines.push(skipped('contract', `${point} ${declared.id}`, 'its module has to be fixed first'));
      continue;
    }
    lines.push(...(await checkContract({ root, point, id: declared.id }, parts)));
  }
  // They import the same modules, and a stack for each says less than the line about the file.
  const isWhole = ok(checked.lines.filter(({ check }) => check === 'file'));
  if (request.tests && !isWhole) lines.push(skipped('tests', 'test', 'its files have to be there first'));
  else if (request.tests)
    lines.push(await checkTests(root, { preload: parts.preload, env: parts.testEnv, run: parts.run }));
  return { name: pjson.name, version: pjson.version, root, ok: ok(lines), checks: lines };
}
