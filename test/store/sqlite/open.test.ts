import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/store/migrations.js';
import { realPacing } from '../../../src/store/pacing.js';
import { openConnection } from '../../../src/store/sqlite/connection.js';
import { networkFileSystem } from '../../../src/store/state-dir.js';
import { newJob } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';

const FULL = 2;

describe('opening a SQLite store', () => {
  let root: string;
  let stateDir: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kit-open-'));
    stateDir = join(root, 'deep', '.kit');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  const openAndClose = async (): Promise<void> => (await openSqliteWorld({ stateDir })).dispose();
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('makes a private state directory that git does not see', async () => {
    const world = await openSqliteWorld({ stateDir });
    await world.stores.blobs.put(Buffer.from('x'));

    expect(await modeOf(stateDir)).toBe(0o700);
    expect(await readFile(join(stateDir, '.gitignore'), 'utf8')).toBe('*\n');
    expect(await modeOf(world.path)).toBe(0o600);
    expect(await modeOf(`${world.path}-wal`)).toBe(0o600);
    expect(world.stores.location).toBe(world.path);
    await world.dispose();
  });

  it('takes rights from a directory that others may read, and keeps an ignore file that is there', async () => {
    await mkdir(stateDir, { recursive: true });
    await chmod(stateDir, 0o755);
    await writeFile(join(stateDir, '.gitignore'), '# mine\n*\n');

    await openAndClose();

    expect(await modeOf(stateDir)).toBe(0o700);
    expect(await readFile(join(stateDir, '.gitignore'), 'utf8')).toBe('# mine\n*\n');
  });

  it.each([
    [0x6969, 'NFS'],
    [0xfe534d42, 'SMB'],
    [-28095166, 'SMB'],
    [0xff534d42, 'CIFS'],
    [0x01021997, '9P'],
  ])('refuses a network file system of type %d and writes nothing', async (type, name) => {
    const refused = openSqliteWorld({ stateDir, parts: { fileSystemTypeOf: async () => type } });

    await expect(refused).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      exitCode: 2,
      message: expect.stringContaining(name),
      hint: expect.stringContaining('KIT_STATE_DIR'),
    });
    expect(await readdir(root)).toEqual([]);
  });

  it('accepts the file systems of local disks', () => {
    const local = {
      ext4: 0xef53,
      btrfs: 0x9123683e,
      xfs: 0x58465342,
      tmpfs: 0x01021994,
      overlay: 0x794c7630,
      zfs: 0x2fc12fc1,
    };
    expect(Object.values(local).map(networkFileSystem)).toEqual(Object.values(local).map(() => null));
  });

  it('refuses a store that a newer kit has written, and leaves it as it is', async () => {
    await openAndClose();
    const path = join(stateDir, 'store.sqlite');
    const db = new Database(path);
    db.prepare("UPDATE store_meta SET value = ? WHERE key = 'schema_version'").run(String(SCHEMA_VERSION + 1));
    db.close();

    await expect(openSqliteWorld({ stateDir })).rejects.toMatchObject({
      code: 'KIT_STORE_NEWER',
      exitCode: 2,
      data: { found: SCHEMA_VERSION + 1, known: SCHEMA_VERSION },
    });
  });

  it('refuses a file that is not a database', async () => {
    await mkdir(stateDir, { recursive: true });
    await writeFile(join(stateDir, 'store.sqlite'), 'not a database, but long enough to be read as one\n'.repeat(100));

    await expect(openSqliteWorld({ stateDir })).rejects.toMatchObject({ code: 'KIT_STORE_UNAVAILABLE', exitCode: 2 });
  });

  it('refuses a path that cannot be a directory', async () => {
    await writeFile(join(root, 'deep'), 'a file');

    await expect(openSqliteWorld({ stateDir })).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      exitCode: 2,
      hint: expect.stringContaining('KIT_STATE_DIR'),
    });
  });

  it('syncs every commit on every connection, also on a log that already exists', async () => {
    const world = await openSqliteWorld({ stateDir });
    const plain = new Database(world.path, { timeout: 0 });
    expect(plain.pragma('journal_mode', { simple: true })).toBe('wal');
    // What SQLite does by itself with a log that is there: the reason why each connection must say
    // it.
    expect(plain.pragma('synchronous', { simple: true })).not.toBe(FULL);

    for (const mode of ['write', 'read'] as const) {
      const connection = await openConnection({ path: world.path, mode, pacing: realPacing });
      expect(connection.sql.pragma('synchronous'), mode).toBe(FULL);
      expect(connection.sql.pragma('busy_timeout'), mode).toBe(0);
      connection.close();
    }
    plain.close();
    await world.dispose();
  });

  it('writes a long log back and cuts it when nobody writes', async () => {
    const world = await openSqliteWorld({ stateDir, parts: { truncateAboveBytes: 100_000 } });
    const insert = () =>
      world.stores.jobs.insert(newJob(world.ids.jobId(), { input: 'x'.repeat(20_000) }), 'pending', []);
    const bytes = async (): Promise<number> => (await stat(`${world.path}-wal`)).size;
    // Somebody reads: the log cannot be cut, however much time passes between two writes.
    const reader = new Database(world.path, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM jobs');
    for (let n = 0; n < 39; n++) await insert();
    expect(await bytes()).toBeGreaterThan(100_000);
    reader.close();
    await insert();

    await expect.poll(bytes).toBe(0);
    expect(await world.stores.jobs.list({ limit: 100 })).toHaveLength(40);
    await world.dispose();
  });

  it('leaves no lock and no log behind when it is closed', async () => {
    await openAndClose();
    expect((await readdir(stateDir)).sort()).toEqual(['.gitignore', 'blobs', 'store.sqlite']);
  });
});
