import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../support/kit-process.js';
import { deployRoot, textOf } from './files.js';

const IMAGES = [
  ...textOf('compose.yaml').matchAll(/image: (postgres:\S+)/g),
  ...textOf('Dockerfile').matchAll(/^FROM (node:\S+)/gm),
].map((match) => String(match[1]));
const BUILD_MS = 900_000;
const CALLER = 'key-of-the-caller-key-of-the-caller';

/** Why Compose cannot be tried here; null: it can. */
function reasonToSkip(): string | null {
  const info = spawnSync('docker', ['info'], { timeout: 20_000 });
  if (info.status !== 0) return 'no container runtime answers';
  const missing = IMAGES.filter(
    (image) => spawnSync('docker', ['pull', '--quiet', image], { timeout: 300_000 }).status !== 0,
  );
  return missing.length === 0 ? null : `${missing.join(', ')} cannot be pulled`;
}

const skipped = reasonToSkip();

describe.skipIf(skipped !== null)(
  `the template deploy under Compose${skipped === null ? '' : ` (skipped: ${skipped})`}`,
  () => {
    it('starts, executes a run on a worker, and stops', { timeout: BUILD_MS }, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'kit-compose-'));
      const compose = (...args: readonly string[]) => {
        const done = spawnSync('docker', ['compose', '--env-file', 'compose.env', ...args], {
          cwd: directory,
          encoding: 'utf8',
          timeout: BUILD_MS,
        });
        if (done.status !== 0) throw new Error(`docker compose ${args.join(' ')}: ${done.stderr}`);
        return done.stdout;
      };
      try {
        cpSync(deployRoot, directory, { recursive: true });
        const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], {
          cwd: projectRoot,
          encoding: 'utf8',
        });
        const archive = packed.stdout.trim().split('\n').at(-1);
        const keys = `POSTGRES_PASSWORD=of-the-test\nKIT_KEY_OPERATOR=key-of-the-operator-key-of-the-operator\nKIT_KEY_CALLER=${CALLER}\n`;
        writeFileSync(join(directory, 'compose.env'), keys);
        compose('build', '--build-arg', `KIT_PACKAGE=/context/${archive}`);
        compose('up', '--detach', '--wait');
        const ask = (path: string, init: RequestInit = {}) =>
          fetch(`http://127.0.0.1:8000${path}`, {
            ...init,
            headers: { authorization: `Bearer ${CALLER}`, 'content-type': 'application/json' },
          });
        const { id } = (await (await ask('/run/hello', { method: 'POST', body: '{"input":"Greet Ada"}' })).json()) as {
          id: string;
        };
        const statusOf = async () => ((await (await ask(`/jobs/${id}`)).json()) as { status: string }).status;
        await expect.poll(statusOf, { timeout: 60_000 }).toBe('completed');
      } finally {
        compose('down', '--volumes', '--timeout', '60');
        rmSync(directory, { recursive: true, force: true });
      }
    });
  },
);
