import { basename } from 'node:path';
import type { Framework } from './records.js';

/**
 * A command that starts a known runner: `at` is the word that names it (for node --test: the word
 * `node`).
 */
export interface Recognised {
  readonly framework: Framework;
  readonly at: number;
}

/**
 * Programs that only start another one. `run`-like words after them are skipped with their options.
 */
const LAUNCHERS: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  'cross-env': [],
  env: [],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'run'],
  npm: ['exec', 'x'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  hatch: ['run'],
};

const RUNNERS: Readonly<Record<string, Framework>> = {
  vitest: 'vitest',
  jest: 'jest',
  pytest: 'pytest',
  'py.test': 'pytest',
};

const programOf = (word: string): string => basename(word.replaceAll('\\', '/')).replace(/\.(exe|cmd|mjs|cjs|js)$/, '');
const isAssignment = (word: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);
const isOption = (word: string): boolean => word.startsWith('-');

function recogniseNode(words: readonly string[], at: number): Recognised | null {
  const script = words.findIndex((word, index) => index > at && !isOption(word));
  const options = words.slice(at + 1, script === -1 ? undefined : script);
  if (options.includes('--test')) return { framework: 'node:test', at };
  const framework = script === -1 ? undefined : RUNNERS[programOf(words[script] ?? '')];
  return framework === undefined ? null : { framework, at: script };
}

/**
 * Which runner a command line starts directly, or null. A script runner (`npm test`) is resolved
 * elsewhere.
 */
export function recognise(words: readonly string[], from = 0): Recognised | null {
  const at = words.findIndex((word, index) => index >= from && !isAssignment(word) && !isOption(word));
  const program = programOf(words[at] ?? '');
  if (at === -1) return null;
  const runner = RUNNERS[program];
  if (runner !== undefined) return { framework: runner, at };
  if (program === 'node') return recogniseNode(words, at);
  if (/^(python|python3|py)(\.\d+)*$/.test(program)) {
    return words[at + 1] === '-m' && words[at + 2] === 'pytest' ? { framework: 'pytest', at: at + 2 } : null;
  }
  const subcommands = LAUNCHERS[program];
  if (subcommands === undefined) return null;
  if (subcommands.length === 0) return recognise(words, at + 1);
  return subcommands.includes(words[at + 1] ?? '') ? recognise(words, at + 2) : recogniseShorthand(words, at, program);
}

/** `yarn jest` and `pnpm vitest` start a binary of the project without `exec`. */
function recogniseShorthand(words: readonly string[], at: number, program: string): Recognised | null {
  const framework = program === 'yarn' || program === 'pnpm' ? RUNNERS[words[at + 1] ?? ''] : undefined;
  return framework === undefined ? null : { framework, at: at + 1 };
}

/**
 * The script that `npm test`, `npm run x`, `yarn x`, ... runs; null when the words are
 * not such a call.
 */
export function scriptOf(words: readonly string[]): { readonly manager: string; readonly script: string } | null {
  const manager = programOf(words[0] ?? '');
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return null;
  const verb = words.slice(1).filter((word) => !isOption(word));
  if (verb[0] === 'run' || verb[0] === 'run-script') return verb[1] === undefined ? null : { manager, script: verb[1] };
  if (verb[0] === 'test' || verb[0] === 't' || verb[0] === 'tst')
    return manager === 'bun' ? null : { manager, script: 'test' };
  return (manager === 'yarn' || manager === 'pnpm') && verb[0] !== undefined ? { manager, script: verb[0] } : null;
}
