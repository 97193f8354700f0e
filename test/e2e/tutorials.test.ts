import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Line, readLesson, type Step } from '../support/lesson.js';
import { makeReader, type Reader, root, type Shell, shellLines } from './reader.js';

const pagesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
/** What a page types, at least: a tutorial is followed, of a how-to some lines are only shown. */
const PAGES = [
  ...pagesOf('tutorials').map((page) => [page, 4] as const),
  ...pagesOf('how-to').map((page) => [page, 2] as const),
];

let reader: Reader;
beforeAll(async () => {
  reader = await makeReader();
});
afterAll(() => reader?.dispose());

/** Ends what a page starts behind it and did not come to end itself. */
function endServer(directory: string): void {
  try {
    process.kill(Number(readFileSync(join(directory, 'server.pid'), 'utf8')));
  } catch {
    // The page ended it, or started none.
  }
}

const type: Reader['type'] = (shell, command) => reader.type(shell, command);

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

describe('a tutorial or a how-to', () => {
  it.each(PAGES)('%s works as it stands, line by line', async (page, least) => {
    const dir = join(reader.world.base, page);
    mkdirSync(dir, { recursive: true });
    const shell: Shell = { cwd: dir, run: '' };

    const steps = readLesson(readFileSync(join(root, 'docs', page), 'utf8'));

    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThanOrEqual(least);
    try {
      for (const step of steps) await follow(shell, step);
    } finally {
      endServer(shell.cwd);
    }
  });
});

describe('the README', () => {
  it('has a governed run that works as it stands', async () => {
    const lines = shellLines('README.md', 'kit init demo');
    const inbox = lines.findIndex((line) => line.startsWith('kit review --as ada'));
    const dir = join(reader.world.base, 'readme');
    mkdirSync(dir);
    const shell: Shell = { cwd: dir, run: '' };

    for (const [at, line] of lines.slice(0, inbox).entries()) {
      const { code, output } = await type(shell, line);
      expect(code, `$ ${line}\n${output}`).toBe(at === inbox - 1 ? 3 : 0);
      shell.run = /\brun ([0-9a-f]{12})\b/.exec(output)?.[1] ?? shell.run;
    }

    // The inbox needs a terminal; the tests of the inbox press its keys.
    const decided = await type(shell, 'kit review approve <run> --as ada');
    expect(decided.code, decided.output).toBe(0);
    const status = await type(shell, 'kit status');
    expect(status.output).toMatch(new RegExp(`${shell.run}\\s+hello 1.0.0\\s+completed`));
    const report = await type(shell, 'kit report <run> --output run.html');
    expect(report.code, report.output).toBe(0);
  });

  it('has five commands that work in a new workspace', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const table = readme.split('## Five commands')[1]?.split('\n## ')[0] ?? '';
    const commands = [...table.matchAll(/^\| `(kit [^`]+)` /gm)].map(([, command = '']) => command);
    const dir = join(reader.world.base, 'readme-five');
    mkdirSync(dir);
    const shell: Shell = { cwd: dir, run: '' };
    await type(shell, 'kit init five --template empty --yes && cd five');

    for (const command of commands) {
      // The inbox needs a terminal.
      const { code, output } = await type(shell, command === 'kit review' ? 'kit review list' : command);
      expect(code, `$ ${command}\n${output}`).toBe(0);
      shell.run = /\brun ([0-9a-f]{12})\b/.exec(output)?.[1] ?? shell.run;
    }

    expect(commands).toHaveLength(5);
  });

  it('has a server that answers the request beside it', async () => {
    const [serve = '', curl = ''] = shellLines('README.md', 'kit serve ');
    const dir = join(reader.world.base, 'readme-served');
    mkdirSync(dir);
    const shell: Shell = { cwd: dir, run: '' };
    await type(shell, 'kit init served --template hello --yes && cd served');

    try {
      // The port of the README may be somebody's on this machine.
      const line = serve.replace('kit serve', 'kit serve --port 0');
      await type(shell, `${line} > server.log 2>&1 & echo $! > server.pid`);
      await type(shell, "until grep -q 'http://' server.log; do sleep 0.1; done");
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(join(shell.cwd, 'server.log'), 'utf8'))?.[0] ?? '';
      const { code, output } = await type(shell, curl.replace('http://127.0.0.1:8000', url));

      expect(code, output).toBe(0);
      expect(output).toMatch(/"job_id":"[0-9a-f]{12}"/);
    } finally {
      endServer(shell.cwd);
    }
  });
});
