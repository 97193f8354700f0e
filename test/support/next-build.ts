import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ENGINE } from '../../src/domain/journal.js';
import { projectRoot } from './kit-process.js';

/** What a start reads of the package. */
const PACKAGE = ['bin', 'dist', 'schemas', 'package.json'];
/** What it does not read of a plugin; some have more folders than others. */
const SOURCES = new Set(['src', 'test', 'node_modules']);
const SCOPE = '@kit-run';

/** Another build of kit. */
export interface Build {
  readonly program: string;
  readonly engine: number;
}

/**
 * A copy of this build that differs in one number, which is its engine's: what the next one would
 * be that changes the journal.
 */
export function nextBuild(): Build {
  const root = mkdtempSync(join(tmpdir(), 'kit-next-build-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  copy(projectRoot, root, PACKAGE);
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(join(projectRoot, 'node_modules')))
    if (name !== SCOPE) symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(projectRoot, 'plugins'))) {
    const plugin = join(projectRoot, 'plugins', name);
    copy(
      plugin,
      join(root, 'plugins', name),
      readdirSync(plugin).filter((entry) => !SOURCES.has(entry)),
    );
    symlinkSync(join(root, 'plugins', name), join(modules, SCOPE, `plugin-${name}`));
  }
  symlinkSync(root, join(modules, SCOPE, 'kit'));
  const engine = ENGINE + 1;
  replace(join(root, 'dist', 'domain', 'journal.js'), `ENGINE = ${ENGINE};`, `ENGINE = ${engine};`);
  // The folded program has the number written into it; the modules that it was folded from do not.
  replace(join(root, 'bin', 'kit.js'), '../dist/program/boot/main.js', '../dist/boot/main.js');
  return { program: join(root, 'bin', 'kit.js'), engine };
}

function copy(from: string, to: string, names: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const name of names) cpSync(join(from, name), join(to, name), { recursive: true });
}

/** Fails where there is nothing to replace, so that no copy pretends to be another engine. */
function replace(file: string, text: string, other: string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(text, other);
  if (after === before) throw new Error(`${file} holds no ${text}`);
  writeFileSync(file, after);
}
