import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitFiles, finishPending, type PlannedFile } from '../../../src/app/editing/commit-files.js';
import { readCurrent } from '../../../src/app/editing/current-file.js';
import { PENDING_EDIT, pendingText, placeIdOf } from '../../../src/app/editing/pending-edit.js';
import { etagOf } from '../../../src/app/editing/preconditions.js';
import { openWorkspaceFiles } from '../../../src/app/workspace-files.js';
import { isKitError } from '../../../src/domain/errors.js';
import { createFileEdits, type EditCalls, nodeEditCalls } from '../../../src/system/file-edits.js';
import { nodeFiles } from '../../../src/system/files.js';

const OLD = { 'workspace.yaml': 'old: 1\n', 'skills/a.yaml': 'old: a\n' };
const NEW = { 'workspace.yaml': 'new: 1\n', 'skills/a.yaml': 'new: a\n', 'skills/deep/b.yaml': 'new: b\n' };

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'kit-commit-files-')));
  await mkdir(join(root, 'skills'));
  for (const [path, text] of Object.entries(OLD)) await writeFile(join(root, path), text);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const planned = (): Promise<readonly PlannedFile[]> =>
  Promise.all(
    Object.entries(NEW).map(async ([path, text]) => {
      const asked = join(root, path);
      return { place: { path, asked, real: asked }, before: await readCurrent(nodeFiles, asked), text };
    }),
  );

/** The workspace as kit reads it. */
async function seen(): Promise<Readonly<Record<string, string>>> {
  const { files } = await openWorkspaceFiles(root, nodeFiles);
  const paths = ['workspace.yaml', 'skills/a.yaml', 'skills/deep/b.yaml'];
  const texts = await Promise.all(paths.map((path) => files.readText(join(root, path))));
  return Object.fromEntries(paths.flatMap((path, at) => (texts[at] === null ? [] : [[path, texts[at] ?? '']])));
}

/** The files themselves, hidden ones too. */
async function onDisk(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')] as const)),
  );
}

/** Calls of a real disk that fail once, at the `at`-th. */
function failingAt(at: number): EditCalls & { readonly made: () => number } {
  let made = 0;
  const wrapped =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      made += 1;
      if (made - 1 === at) throw Object.assign(new Error('no'), { code: 'EIO' });
      return call(...args);
    };
  return {
    made: () => made,
    mkdir: wrapped(nodeEditCalls.mkdir),
    mode: wrapped(nodeEditCalls.mode),
    write: wrapped(nodeEditCalls.write),
    rename: wrapped(nodeEditCalls.rename),
    remove: wrapped(nodeEditCalls.remove),
    syncDirectory: wrapped(nodeEditCalls.syncDirectory),
  };
}

const DIST = new URL('../../../dist/', import.meta.url).href;

/** Commits in a process that is killed at the `at`-th call of the disk; how many it made. */
async function killedAt(at: number): Promise<string> {
  const script = `
    import { commitFiles } from ${JSON.stringify(`${DIST}app/editing/commit-files.js`)};
    import { readCurrent } from ${JSON.stringify(`${DIST}app/editing/current-file.js`)};
    import { createFileEdits, nodeEditCalls } from ${JSON.stringify(`${DIST}system/file-edits.js`)};
    import { nodeFiles } from ${JSON.stringify(`${DIST}system/files.js`)};
    let made = 0;
    const calls = Object.fromEntries(Object.entries(nodeEditCalls).map(([name, call]) => [name, async (...args) => {
      if (made++ === ${at}) { process.kill(process.pid, 'SIGKILL'); await new Promise(() => setInterval(() => {}, 1000)); }
      return call(...args);
    }]));
    const root = ${JSON.stringify(root)};
    const planned = [];
    for (const [path, text] of Object.entries(${JSON.stringify(NEW)})) {
      const asked = root + '/' + path;
      planned.push({ place: { path, asked, real: asked }, before: await readCurrent(nodeFiles, asked), text });
    }
    await commitFiles({ root }, planned, { files: nodeFiles, edits: createFileEdits(calls) });
    process.stdout.write('done');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  await new Promise<void>((resolve) => child.once('close', () => resolve()));
  return out;
}

const outcome = (work: Promise<void>): Promise<unknown> =>
  work.then(() => 'done').catch((error: unknown) => (isKitError(error) ? error.code : error));

describe('a change of several files', () => {
  it('is written whole, and leaves nothing beside it', async () => {
    await commitFiles({ root }, await planned(), { files: nodeFiles, edits: createFileEdits() });

    expect(await onDisk()).toEqual(NEW);
  });

  it('that fails at any call of the disk leaves all of the old files or all of the new ones', async () => {
    const whole = failingAt(-1);
    await commitFiles({ root }, await planned(), { files: nodeFiles, edits: createFileEdits(whole) });
    const results = new Set<string>();

    for (let at = 0; at < whole.made(); at++) {
      await rm(join(root, 'skills'), { recursive: true, force: true });
      await mkdir(join(root, 'skills'));
      for (const [path, text] of Object.entries(OLD)) await writeFile(join(root, path), text);
      const result = await outcome(
        commitFiles({ root }, await planned(), { files: nodeFiles, edits: createFileEdits(failingAt(at)) }),
      );
      results.add(String(result));
      expect(await seen(), `call ${at}: ${String(result)}`).toEqual(result === 'done' ? NEW : OLD);
    }

    expect(whole.made()).toBeGreaterThan(15);
    expect([...results].sort()).toEqual(['KIT_EDIT_FAILED', 'done']);
  });

  it('whose process is killed at any call of the disk is the old workspace or the new one, and is finished by the next change', async () => {
    const seenStates = new Set<string>();
    let done = false;
    for (let at = 0; !done; at++) {
      await rm(join(root, 'skills'), { recursive: true, force: true });
      await rm(join(root, PENDING_EDIT), { force: true });
      await mkdir(join(root, 'skills'));
      for (const [path, text] of Object.entries(OLD)) await writeFile(join(root, path), text);

      done = (await killedAt(at)) === 'done';
      const now = await seen();
      const isNew = JSON.stringify(now) === JSON.stringify(NEW);
      expect(now, `killed at call ${at}`).toEqual(isNew ? NEW : OLD);
      await finishPending({ root }, { files: nodeFiles, edits: createFileEdits() });
      const files = Object.entries(await onDisk()).filter(([path]) => !path.endsWith('.kit-edit'));
      expect(Object.fromEntries(files), `finished after call ${at}`).toEqual(now);
      seenStates.add(isNew ? 'new' : 'old');
    }

    expect([...seenStates].sort()).toEqual(['new', 'old']);
  }, 120_000);

  it('keeps what somebody wrote into a file meanwhile', async () => {
    const place = (await placeIdOf(nodeFiles, root)) ?? '';
    const files = [
      { path: 'workspace.yaml', before: etagOf('old: 1\n'), text: 'new: 1\n' },
      { path: 'skills/a.yaml', before: etagOf('old: a\n'), text: 'new: a\n' },
    ];
    await writeFile(join(root, PENDING_EDIT), pendingText({ place, files }));
    await writeFile(join(root, 'workspace.yaml'), 'mine: 1\n');

    expect(await seen()).toEqual({ 'workspace.yaml': 'mine: 1\n', 'skills/a.yaml': 'new: a\n' });
  });

  it('that comes with a repository means nothing', async () => {
    const files = [{ path: 'workspace.yaml', before: etagOf('old: 1\n'), text: 'evil: 1\n' }];
    for (const place of ['', '1 2', root]) {
      await writeFile(join(root, PENDING_EDIT), pendingText({ place, files }));
      expect(await seen()).toEqual(OLD);
      await finishPending({ root }, { files: nodeFiles, edits: createFileEdits() });
      expect((await onDisk())['workspace.yaml']).toBe('old: 1\n');
    }
    await writeFile(join(root, PENDING_EDIT), '{"place": [], "files": [1, {"path": 7}]}');
    expect(await seen()).toEqual(OLD);
  });

  it('never leaves the workspace', async () => {
    const place = (await placeIdOf(nodeFiles, root)) ?? '';
    const outside = join(root, '..', `${root.split('/').at(-1)}-outside`);
    const path = `../${outside.split('/').at(-1)}`;
    await writeFile(join(root, PENDING_EDIT), pendingText({ place, files: [{ path, before: null, text: 'x' }] }));
    await finishPending({ root }, { files: nodeFiles, edits: createFileEdits() });

    expect(await nodeFiles.readText(outside)).toBeNull();
  });

  it('is refused when a file is not what it was when the change was planned', async () => {
    const plan = await planned();
    await writeFile(join(root, 'skills/a.yaml'), 'other: a\n');

    const work = commitFiles({ root }, plan, { files: nodeFiles, edits: createFileEdits() });
    expect(await outcome(work)).toBe('KIT_EDIT_STALE');
    expect(await onDisk()).toEqual({ ...OLD, 'skills/a.yaml': 'other: a\n' });
  });
});
