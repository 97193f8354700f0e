import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeLeftContainers } from '../../src/domain/container-owner.js';
import type { WorkerHost } from '../../src/domain/ports/stores.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { containerOwner, processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { TestLease } from '../support/processes.js';

const processes = createProcesses();
const here = readWorkerHost();

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kit-left-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A runtime that lists these containers, and writes down what it is asked. */
function runtime(lines: readonly string[], exitCode = 0): void {
  writeFileSync(join(dir, 'list'), lines.map((line) => `${line}\n`).join(''));
  const path = join(dir, 'podman');
  writeFileSync(path, `#!/bin/sh\necho "$@" >> "${dir}/asked"\n[ "$1" = ps ] && cat "${dir}/list"\nexit ${exitCode}\n`);
  chmodSync(path, 0o755);
}

async function asked(step?: string): Promise<readonly string[]> {
  await removeLeftContainers({
    ...(step === undefined ? {} : { step }),
    runtime: 'podman',
    owner: containerOwner(here),
    cwd: dir,
    env: { PATH: `${dir}:${process.env.PATH ?? ''}` },
    spawn: (spec) => processes.spawn(spec, new TestLease(), new AbortController().signal),
  });
  return readFileSync(join(dir, 'asked'), 'utf8').trim().split('\n');
}

const labelOf = (host: Partial<WorkerHost>): string => containerOwner({ ...here, ...host }).label;
const LIST = 'ps -a --filter label=kit.owner --format {{.ID}} {{.Labels}}';
/** Of this pid a process lives that began at another time. */
const DEAD = labelOf({ processStart: 'long ago' });

it('removes the containers of processes that are gone, in one command', async () => {
  runtime([
    `aaaaaaaaaaaa maintainer=x,kit.owner=${DEAD}`,
    `bbbbbbbbbbbb kit.owner=${labelOf({})},maintainer=x`,
    `cccccccccccc map[kit.owner:${labelOf({ pid: 2 ** 22 + 7 })} maintainer:x]`,
  ]);

  expect(await asked()).toEqual([LIST, 'rm -f --time=0 aaaaaaaaaaaa cccccccccccc']);
});

it.each([
  ['another machine', labelOf({ hostname: 'elsewhere', processStart: 'long ago' })],
  ['another boot, or another space of processes', labelOf({ bootId: 'another', processStart: 'long ago' })],
  ['a living process', labelOf({ pid: process.ppid, processStart: processStartOf(process.ppid) ?? '' })],
  ['nobody', 'bm90IGpzb24'],
  ['a text', Buffer.from('"x"').toString('base64url')],
  ['parts of other kinds', Buffer.from('{"hostname":1}').toString('base64url')],
])('leaves those of %s', async (_who, label) => {
  runtime([`aaaaaaaaaaaa kit.owner=${label}`]);

  expect(await asked()).toEqual([LIST]);
});

it('takes nothing for a container that looks like an option, and nothing from a runtime that fails', async () => {
  runtime([
    `--all kit.owner=${DEAD}`,
    `-f kit.owner=${DEAD}`,
    'aaaaaaaaaaaa',
    `aaaaaaaaaaaa not-kit.owner=${DEAD}`,
    '',
  ]);
  expect(await asked()).toEqual([LIST]);

  rmSync(join(dir, 'asked'));
  runtime([`aaaaaaaaaaaa kit.owner=${DEAD}`], 125);
  expect(await asked()).toEqual([LIST]);
});

it('removes what works on a step that another container is about to be started for, whoever started it', async () => {
  const alive = labelOf({});
  runtime([
    `aaaaaaaaaaaa kit.owner=${alive},kit.step=one`,
    `bbbbbbbbbbbb map[kit.owner:${alive} kit.step:two]`,
    `cccccccccccc map[kit.step:two]`,
    `dddddddddddd kit.owner=${alive},not-kit.step=two`,
  ]);

  expect(await asked('two')).toEqual([LIST, 'rm -f --time=0 bbbbbbbbbbbb']);
});
