import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NO_FAULTS } from '../../src/domain/faults.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { createRepository } from '../support/repository.js';
import { createIds, newJob, startedEvent } from '../support/store-samples.js';
import { openSqliteWorld, SILENT } from '../support/store-world.js';

// The other tests keep their files in memory where they can (scripts/lib/scratch.mjs): what this
// file does goes to a disk, each kind of durable state once.

const TMPFS = 0x01021994;
const POSTGRES = fileURLToPath(new URL('../support/components/postgres.mjs', import.meta.url));
const isDisk = (directory: string): boolean => existsSync(directory) && statfsSync(directory).type !== TMPFS;
/** Where the machine keeps temporary files when no test runs, else beside the libraries. */
const PLACES = [process.env.KIT_TEST_DISK ?? tmpdir(), '/var/tmp', fileURLToPath(new URL('../../', import.meta.url))];
const place = PLACES.find(isDisk);

describe.runIf(place !== undefined)(`on a real disk (${place ?? 'there is none'})`, () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(place ?? '', 'kit-real-disk-'));
    // The account of the database server passes through.
    chmodSync(root, 0o711);
    vi.stubEnv('TMPDIR', root);
    expect(tmpdir()).toBe(root);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true, force: true });
  });

  it('a SQLite store keeps what it was told', async () => {
    const world = await openSqliteWorld();
    onTestFinished(() => world.dispose());
    expect(world.path.startsWith(root)).toBe(true);
    const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'queued', [startedEvent(world.ids.uuid())]);

    await world.reopen();

    expect(await world.stores.jobs.get(job.id)).toMatchObject({ id: job.id, status: job.status });
    expect(await world.stores.events.readRun(job.id, 0, 10)).toHaveLength(1);
  });

  it('a worktree holds the commit and what is not committed, and its diff comes back', async () => {
    const repository = createRepository({ 'a.txt': 'one\n' });
    onTestFinished(() => repository.dispose());
    repository.write('a.txt', 'two\n');
    const worktrees = createWorktrees({
      env: repository.env,
      owner: readWorkerHost(),
      tempRoot: repository.temp,
    });

    const worktree = await worktrees.create({ repository: repository.root, includeUncommitted: true, link: [] });

    expect(worktree.path.startsWith(root)).toBe(true);
    expect(repository.git('-C', worktree.path, 'diff', 'HEAD')).toContain('+two');
    await worktree.remove();
    expect(existsSync(worktree.path)).toBe(false);
  });

  it('a PostgreSQL that waits for the disk holds a store', async () => {
    const server = spawn(process.execPath, [POSTGRES, '--with-parent', '--durable'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      const ended = once(server, 'exit');
      server.stdin.end();
      await ended;
    });
    const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const open = () =>
      openPostgresStores({
        place: { url, setting: 'storage.runtime.url' },
        poolSize: 2,
        maxOverflow: 2,
        ids: createIds(0xfe),
        faults: NO_FAULTS,
        log: SILENT,
      });
    const ids = createIds();
    const before = await open();
    const job = await before.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())]);
    await before.close();

    const after = await open();
    onTestFinished(() => after.close());

    expect(await after.jobs.get(job.id)).toMatchObject({ id: job.id, status: job.status });
    expect(await after.events.readRun(job.id, 0, 10)).toHaveLength(1);
  });
});
