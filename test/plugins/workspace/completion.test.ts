import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bashScript } from '../../../plugins/workspace/src/completion/bash.js';
import { fishScript } from '../../../plugins/workspace/src/completion/fish.js';
import { completionNodes } from '../../../plugins/workspace/src/completion/words.js';
import { zshScript } from '../../../plugins/workspace/src/completion/zsh.js';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';
import { writePlugin } from '../../support/plugin-package.js';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** A command whose words a shell would run if it could. */
const GREET = {
  id: 'greet',
  summary: "Say 'hello' to $(whoami) [now]: `x`",
  isESM: true,
  relativePath: ['dist', 'commands', 'greet.js'],
  args: {},
  flags: {
    tone: { name: 'tone', type: 'option', options: ['warm', 'cold', '$(touch pwned)'], description: 'How.' },
    secretly: { name: 'secretly', type: 'boolean', hidden: true },
  },
};

let home: KitHome;
let dir: string;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-completion-'));
  mkdirSync(join(dir, 'team one', 'topologies'), { recursive: true });
  writeFileSync(join(dir, 'notes.txt'), '');
  const plugin = await writePlugin(home.path, {
    name: '@acme/kit-plugin-greet',
    commands: {
      greet:
        "import { KitCommand } from '@kit-run/kit/command'; export class Greet extends KitCommand { async run() {} }",
    },
    hasManifest: false,
    files: { 'oclif.manifest.json': JSON.stringify({ version: '1.0.0', commands: { greet: GREET } }) },
  });
  const linked = await runKitHere(['plugins', 'link', plugin, '--yes'], { env: home.env });
  if (linked.code !== 0) throw new Error(linked.stderr);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runKitHere(['completion', shell], { env: home.env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scripts[shell] = join(dir, `kit.${shell}`);
    writeFileSync(scripts[shell], stdout);
  }
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

/** What bash offers for a line that ends at the cursor; words are what bash would split it into. */
function bashOffers(...words: readonly string[]): readonly string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const program = `source '${scripts.bash}'; COMP_WORDS=(${list}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _kit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '--noprofile', '-c', program], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...home.env, LC_ALL: 'C' },
  })
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

describe('the script for bash', () => {
  test('registers itself', () => {
    const shown = execFileSync('bash', ['--norc', '-c', `source '${scripts.bash}'; complete -p kit`], {
      encoding: 'utf8',
      env: home.env,
    });

    expect(shown).toBe('complete -F _kit kit\n');
  });

  test('offers commands, topics, their words, and commands of installed plugins', () => {
    expect(bashOffers('kit', '')).toEqual(
      expect.arrayContaining(['completion', 'greet', 'init', 'plugins', 'run', 'validate']),
    );
    expect(bashOffers('kit', 'va')).toEqual(['validate']);
    expect(bashOffers('kit', 'plugins', 'in')).toEqual(['inspect', 'install']);
    expect(bashOffers('kit', 'completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });

  test('offers flags of the command that stands there, and values of flags that have a list', () => {
    expect(bashOffers('kit', 'validate', '--req')).toEqual(['--require', '--require-verified']);
    expect(bashOffers('kit', 'validate', '--format', '')).toEqual(['github', 'json', 'pretty', 'sarif']);
    expect(bashOffers('kit', 'validate', '--format', '=', 's')).toEqual(['sarif']);
    expect(bashOffers('kit', 'validate', '--format', '=')).toEqual(['github', 'json', 'pretty', 'sarif']);
    expect(bashOffers('kit', 'validate', '--explain', '')).toEqual([]);
    expect(bashOffers('kit', 'greet', '--')).toEqual(['--help', '--tone']);
  });

  test('offers directories where a workspace belongs, blanks and all', () => {
    expect(bashOffers('kit', 'validate', '')).toEqual(['team one']);
    expect(bashOffers('kit', 'run', '-w', 'te')).toEqual(['team one']);
    expect(bashOffers('kit', 'run', '--attach', 'no')).toEqual(['notes.txt']);
  });

  test('never expands what a plugin wrote', () => {
    expect(bashOffers('kit', 'greet', '--tone', '')).toEqual(['cold', 'warm']);
    expect(execFileSync('ls', [dir], { encoding: 'utf8' })).not.toContain('pwned');
  });
});

describe('the script for zsh', () => {
  test.skipIf(!has('zsh'))('offers commands and values in a real zsh (skipped without zsh)', () => {
    // _describe and _arguments stand in for the screen: what they are given is what zsh would show.
    const program = `_describe() { print -l -- "\${(@P)argv[-1]}" }; _arguments() { print -l -- "$@" }; compdef() { : }
      source '${scripts.zsh}'; words=("$@"); CURRENT=$#words; _kit`;
    const offers = (...words: readonly string[]) =>
      execFileSync('zsh', ['-f', '-c', program, 'zsh', ...words], { encoding: 'utf8', env: home.env });

    expect(offers('kit', 'va')).toMatch(/^validate:Check a workspace/m);
    expect(offers('kit', 'plugins', '')).toMatch(/^install:/m);
    expect(offers('kit', 'validate', '')).toMatch(/^--format=\[.*\]:format:\(pretty json sarif github\)$/m);
    expect(offers('kit', 'validate', '')).toContain(':workspace:_files -/');
    expect(offers('kit', 'gr')).toContain(`greet:Say 'hello' to $(whoami) [now]: \`x\``);
  });
});

describe('the script for fish', () => {
  test.skipIf(!has('fish'))('offers commands, flags and values in a real fish (skipped without fish)', () => {
    const offers = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source '${scripts.fish}'; complete -C "$argv[1]"`, line], {
        cwd: dir,
        encoding: 'utf8',
        env: home.env,
      });

    expect(offers('kit va')).toMatch(/^validate\tCheck a workspace/m);
    expect(offers('kit plugins in')).toMatch(/^install\t/m);
    expect(offers('kit validate --format ')).toMatch(/^sarif\t/m);
    expect(offers('kit validate --req')).toMatch(/^--require-verified\t/m);
    expect(offers('kit validate te')).toMatch(/team\\? one\//);
    expect(offers('kit greet --tone ')).not.toContain('pwned');
  });
});

describe('completion', () => {
  test('makes no code of what stands in a manifest', () => {
    const hostile = `'; touch pwned; $(x) \`y\` ]:\\ ' \u001b[2J\nnext`;
    const nodes = completionNodes([
      {
        id: 'a:b',
        summary: hostile,
        flags: {
          f: { type: 'option', description: hostile, options: ['ok', hostile, '$(x)'] },
          'x;y': { type: 'boolean' },
        },
        args: {},
      },
      { id: 'c;d', summary: 'not offered' },
      { id: 'h', hidden: true },
    ]);

    expect(nodes.map(({ path }) => path)).toEqual(['', 'a', 'a b']);
    for (const script of [bashScript(nodes), zshScript(nodes), fishScript(nodes)]) {
      expect(script).not.toContain('\u001b');
      expect(script).not.toContain('\nnext');
      expect(script).not.toContain('x;y');
    }
    expect(bashScript(nodes)).not.toContain('pwned');
    const run = spawnSync('bash', ['--norc', '-n'], { input: bashScript(nodes), encoding: 'utf8' });
    expect(run).toMatchObject({ status: 0, stderr: '' });
  });

  test('of an unknown shell is refused with the likely one, and of none with the three', async () => {
    const misspelt = await runKitHere(['completion', 'zhs'], { env: home.env });
    const none = await runKitHere(['completion'], { env: home.env });

    expect(misspelt).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean zsh?') });
    expect(none).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('bash|zsh|fish') });
  });
});
