import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A runtime that a kit under test finds, and an image with Node.js. */
export interface TestRuntime {
  readonly kind: 'real' | 'played';
  readonly image: string;
  /** Added to what the kit gets. */
  readonly env: NodeJS.ProcessEnv;
  /** Names of the containers of this image, running or not. */
  containers(): readonly string[];
  /** Removes what is left of them. */
  dispose(): void;
}

/** Kept, so that it is made once on a machine. */
const IMAGE = 'localhost/kit-test-node:2';

/**
 * The first runtime that answers, with an image made of the Node.js of this test, the shell of this
 * machine and their libraries: nothing is pulled. Null = none answers, which is said on stdout with
 * what is not tested.
 */
export function realRuntime(untested: string): TestRuntime | null {
  const runtime = ['docker', 'podman'].find((name) => spawnSync(name, ['ps']).status === 0);
  const problem = runtime === undefined ? 'neither docker nor podman answers' : makeImage(runtime);
  if (runtime === undefined || problem !== null) {
    process.stdout.write(`\n${untested}: NOT TESTED with real containers here, because ${problem}\n\n`);
    return null;
  }
  // A name of its own: whoever else tests here has containers, too.
  const image = `localhost/kit-test-node:${randomUUID()}`;
  execFileSync(runtime, ['tag', IMAGE, image]);
  const containers = (): readonly string[] =>
    spawnSync(runtime, ['ps', '-a', '--filter', 'label=kit.owner', '--format', '{{.Names}} {{.Image}}'], {
      encoding: 'utf8',
    })
      .stdout.split('\n')
      .flatMap((line) => (line.endsWith(` ${image}`) ? [line.split(' ')[0] ?? ''] : []));
  return {
    kind: 'real',
    image,
    env: { KIT_CONTAINER_RUNTIME: runtime },
    containers,
    dispose: () => {
      const left = containers();
      if (left.length > 0) spawnSync(runtime, ['rm', '-f', ...left]);
      spawnSync(runtime, ['rmi', image]);
    },
  };
}

/** Of a program that needs none, none. */
function librariesOf(program: string): readonly string[] {
  const { status, stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return status === 0 ? [...stdout.matchAll(/\/[^\s()]+/g)].map(([path]) => path) : [];
}

/** Null = it is there. */
function makeImage(runtime: string): string | null {
  if (spawnSync(runtime, ['image', 'inspect', IMAGE]).status === 0) return null;
  const root = mkdtempSync(join(tmpdir(), 'kit-image-'));
  try {
    const libraries = [process.execPath, '/bin/sh'].flatMap(librariesOf);
    for (const folder of ['tmp', 'home/kit', 'workspace', 'usr/local/bin', 'bin'])
      mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
    copyFileSync('/bin/sh', join(root, 'bin/sh'));
    for (const path of libraries) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      copyFileSync(path, join(root, path));
    }
    const tar = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 1024 ** 3 });
    const made = spawnSync(runtime, ['import', '-', IMAGE], { input: tar, encoding: 'utf8' });
    if (made.status !== 0) return `${runtime} import failed: ${made.stderr.trim()}`;
    // What it has beside Node.js is nothing: where the libraries of this machine do not do, say so.
    const tried = spawnSync(runtime, ['run', '--rm', '--network=none', IMAGE, '/usr/local/bin/node', '--version'], {
      encoding: 'utf8',
    });
    return tried.status === 0 ? null : `an image of Node.js does not start: ${tried.stderr.trim()}`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const FAKE = fileURLToPath(new URL('components/fake-podman.mjs', import.meta.url));

/**
 * A `podman` of a private directory whose containers are processes of this machine that outlive
 * their client, as real ones do.
 */
export function playedRuntime(): TestRuntime {
  const dir = mkdtempSync(join(tmpdir(), 'kit-boxes-'));
  copyFileSync(FAKE, join(dir, 'fake-podman.mjs'));
  const program = join(dir, 'podman');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${dir}/fake-podman.mjs' "$@"\n`);
  chmodSync(program, 0o755);
  const boxes = (): readonly string[] => readdirSync(dir).filter((name) => name.endsWith('.box'));
  return {
    kind: 'played',
    image: 'tools:1',
    env: { KIT_CONTAINER_RUNTIME: 'podman', PATH: `${dir}:${process.env.PATH ?? ''}` },
    containers: () => boxes().map((file) => file.replace(/\.box$/, '')),
    dispose: () => {
      for (const file of boxes()) {
        const { pids }: { readonly pids: readonly number[] } = JSON.parse(readFileSync(join(dir, file), 'utf8'));
        for (const pid of pids) spawnSync('kill', ['-9', String(pid)]);
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
