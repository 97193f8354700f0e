import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { type Line, readLesson, type Step } from '../support/lesson.js';
import { makeWorld, type World } from './world.js';

const FOLDER = join(projectRoot, 'docs', 'tutorials');
const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

interface Shell {
  cwd: string;
  /** What `<run>` means by now. */
  run: string;
}

const KIT = `kit() { ${JSON.stringify(process.execPath)} ${JSON.stringify(join(projectRoot, 'bin', 'kit.js'))} "$@"; }`;

/** One command line as a reader types it, in the directory in which the line before ended. */
function type(shell: Shell, command: string): Promise<{ readonly code: number; readonly output: string }> {
  const line = command.replaceAll('<run>', shell.run);
  return new Promise((resolve) => {
    const script = `${KIT}\n${line}\nstatus=$?\npwd > ${JSON.stringify(join(world.base, 'cwd'))}\nexit $status`;
    execFile('bash', ['-c', `{ ${script}\n} 2>&1`], { cwd: shell.cwd, env: world.env }, (error, output) => {
      shell.cwd = readFileSync(join(world.base, 'cwd'), 'utf8').trim();
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, output });
    });
  });
}

async function follow(shell: Shell, step: Step): Promise<void> {
  if (step.kind === 'file') {
    const path = join(shell.cwd, step.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
    return;
  }
  const { code, output } = await type(shell, step.command);
  expect(code, `$ ${step.command}\n${output}`).toBe(step.exit);
  const rest = missing(output.trimEnd().split('\n'), step.expected);
  expect(rest, `$ ${step.command}\n${output}`).toBeNull();
  const run = /\brun ([0-9a-f]{12})\b/.exec(output)?.[1];
  if (run !== undefined) shell.run = run;
}

/** The first expected line that does not come; null = all do, in order. */
function missing(lines: readonly string[], expected: readonly Line[]): string | null {
  let at = 0;
  let mayskip = false;
  for (const want of expected) {
    if (want.kind === 'any') {
      mayskip = true;
      continue;
    }
    const found = lines.findIndex((line, index) => index >= at && want.pattern.test(line));
    if (found < 0 || (!mayskip && found !== at)) return want.text;
    at = found + 1;
    mayskip = false;
  }
  return mayskip || at === lines.length || expected.length === 0 ? null : `an end after: ${lines[at - 1]}`;
}

describe('a tutorial', () => {
  it.each(PAGES)('%s works as it stands, line by line', async (page) => {
    const dir = join(world.base, page);
    mkdirSync(dir);
    const shell: Shell = { cwd: dir, run: '' };

    const steps = readLesson(readFileSync(join(FOLDER, page), 'utf8'));

    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(3);
    for (const step of steps) await follow(shell, step);
  });
});
