import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';
import type { RunProgram } from '../../domain/ports/programs.js';
import { failed, passed, skipped } from '../../host/check/lines.js';

const TEST_FILE = /\.test\.m?js$/;
const TAIL_CHARS = 4_000;

/** Where the plugin's tests get kit's doors from, and what they see of the environment. */
export interface TestParts {
  readonly preload: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: RunProgram;
}

/**
 * Runs the plugin's own tests with `node --test`, as its author would, with the doors of this kit.
 */
export async function checkTests(root: string, { preload, env, run }: TestParts): Promise<PluginCheckLine> {
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
