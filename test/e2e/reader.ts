import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/kit-process.js';
import { makeWorld, type World } from './world.js';

/** `npm run nodes` gives an installed kit and the Node.js that runs it: its own pages are read. */
const PROGRAM = process.env.KIT_TEST_PROGRAM ?? join(projectRoot, 'bin', 'kit.js');
const NODE = process.env.KIT_TEST_NODE ?? process.execPath;

/** Where the pages lie that are read. */
export const root = dirname(dirname(PROGRAM));

/** No model of this machine is chosen for a new workspace. */
const OLLAMA_BASE_URL = 'http://127.0.0.1:9';

/** Whoever types a tutorial has told git their name. */
const NAMED = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

export interface Shell {
  cwd: string;
  /** What `<run>` means by now. */
  run: string;
}

/** Somebody who types what a page says, in a home of their own. */
export interface Reader {
  readonly world: World;
  /** Where programs lie that they have beside `kit`. */
  readonly bin: string;
  /** What they set in their shell. */
  readonly env: NodeJS.ProcessEnv;
  /** One command line, in the directory in which the line before ended. */
  type(shell: Shell, command: string): Promise<{ readonly code: number; readonly output: string }>;
  dispose(): Promise<unknown>;
}

export async function makeReader(): Promise<Reader> {
  const world = await makeWorld();
  const bin = join(world.base, 'bin');
  mkdirSync(bin);
  const kit = `#!/bin/sh\nexec ${JSON.stringify(NODE)} ${JSON.stringify(PROGRAM)} "$@"\n`;
  writeFileSync(join(bin, 'kit'), kit, { mode: 0o755 });
  const PATH = `${bin}:${dirname(NODE)}:${world.env.PATH}`;
  const env = { ...world.env, ...NAMED, OLLAMA_BASE_URL, PATH };
  return {
    world,
    bin,
    env,
    type: (shell, command) => {
      const line = command.replaceAll('<run>', shell.run);
      const place = join(world.base, 'cwd');
      const script = `${line}\nstatus=$?\npwd > ${JSON.stringify(place)}\nexit $status`;
      return new Promise((resolve) => {
        execFile('bash', ['-c', `{ ${script}\n} 2>&1`], { cwd: shell.cwd, env }, (error, output) => {
          shell.cwd = readFileSync(place, 'utf8').trim();
          resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, output });
        });
      });
    },
    dispose: () => world.dispose(),
  };
}

/** Lines of the shell block of a page whose first line begins so, without their comments. */
export function shellLines(page: string, begins: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const block = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].find(([, lines = '']) => lines.startsWith(begins));
  if (block === undefined) throw new Error(`${page} has no block that begins with ${begins}`);
  return (block[1] ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\s{2,}#.*$/, ''));
}
