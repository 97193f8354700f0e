import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../support/fleet/free-port.js';
import { listening, orphansGone, programsIn, START_MS, stopped } from './cluster-process.js';

/**
 * A PostgreSQL that this soak may kill: its postmaster, one of its backends, or all of it for a
 * while.
 */
export interface Cluster {
  readonly port: number;
  /**
   * URL of a database as it would be reached at `port`: of the server itself, or of a proxy before
   * it.
   */
  url(database: string, port?: number): string;
  createDatabase(name: string): Promise<void>;
  /** One connection of the checker's own, straight to the server. */
  client(database: string): Promise<pg.Client>;
  /** Pids of server processes that serve a kit process. */
  backends(database: string): Promise<readonly number[]>;
  /** kill -9 of the postmaster; whoever was connected finds the connection dead. */
  kill(): Promise<void>;
  /** Starts it again on the same files and port; resolves when it takes connections. */
  start(): Promise<void>;
  /** Resolves when it takes connections, whoever started it. */
  answers(): Promise<void>;
  /**
   * A standby on a copy of its files as they are now, which nobody sends what is written later. The
   * server is stopped meanwhile. Ends with it.
   */
  standby(): Promise<{ readonly port: number }>;
  dispose(): Promise<void>;
}

const USER = 'kit';
const PASSWORD = 'test-only';
/** The server refuses to run as root; this account is on every system. */
const NOBODY = 65_534;

const run = promisify(execFile);

/** `settings` are lines of postgresql.conf. */
export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const base = mkdtempSync(join(tmpdir(), 'kit-soak-postgres-'));
  try {
    return await startIn(base, settings);
  } catch (error) {
    rmSync(base, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(base: string, settings: readonly string[]): Promise<Cluster> {
  const isRoot = process.getuid?.() === 0;
  const programs = programsIn(base, isRoot);
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const data = join(base, 'data');
  mkdirSync(data);
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  const passwordFile = join(base, 'password');
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o644 });
  await run(
    join(programs, 'initdb'),
    [
      `--pgdata=${data}`,
      '--auth=scram-sha-256',
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale-provider=icu',
      '--icu-locale=und',
      '--no-sync',
    ],
    { ...identity, cwd: base },
  );
  const port = await freePort();
  const flags = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // Processes are killed here, not the machine: what the server has written is with the kernel.
    'fsync=off',
    'synchronous_commit=on',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  let child: ChildProcess | null = null;
  const url: Cluster['url'] = (database, at = port) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${at}/${database}`;
  const client: Cluster['client'] = async (database) => {
    const opened = new pg.Client({
      connectionString: url(database),
      application_name: 'soak',
      connectionTimeoutMillis: 5_000,
    });
    opened.on('error', () => undefined);
    await opened.connect();
    return opened;
  };
  const answers = async (): Promise<void> => {
    const untilMs = performance.now() + START_MS;
    for (;;) {
      try {
        const opened = await client('postgres');
        await opened.query('SELECT 1');
        await opened.end();
        return;
      } catch (error) {
        if (performance.now() > untilMs) throw error;
        await sleep(50);
      }
    }
  };
  const start = async (): Promise<void> => {
    const untilMs = performance.now() + START_MS;
    for (;;) {
      const started = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
        ...identity,
        cwd: base,
        stdio: 'ignore',
      });
      child = started;
      const over = once(started, 'exit').then(() => 'ended' as const);
      // Backends of a postmaster that was killed may still hold its memory: then this one ends at
      // once, and another try follows.
      if ((await Promise.race([over, listening(port).then(() => 'listens' as const)])) === 'listens') return answers();
      if (performance.now() > untilMs) throw new Error('PostgreSQL does not start again');
      await sleep(100);
    }
  };
  const kill = async (): Promise<void> => {
    const killed = child;
    child = null;
    if (killed === null || killed.exitCode !== null || killed.signalCode !== null) return;
    const over = once(killed, 'exit');
    killed.kill('SIGKILL');
    await over;
  };
  const standbys: ChildProcess[] = [];
  const standby = async (): Promise<{ readonly port: number }> => {
    await stopped(child);
    const copy = `${data}-standby`;
    await run('cp', ['-a', data, copy]);
    writeFileSync(join(copy, 'standby.signal'), '');
    if (isRoot) chownSync(join(copy, 'standby.signal'), NOBODY, NOBODY);
    const other = await freePort();
    const args = ['-D', copy, '-p', String(other), ...flags];
    standbys.push(spawn(join(programs, 'postgres'), args, { ...identity, cwd: base, stdio: 'ignore' }));
    await start();
    await listening(other);
    return { port: other };
  };
  await start();
  return {
    port,
    url,
    standby,
    client,
    answers,
    start,
    kill,
    createDatabase: async (name) => {
      const opened = await client('postgres');
      await opened.query(`CREATE DATABASE ${name} TEMPLATE template0`);
      await opened.end();
    },
    backends: async (database) => {
      const opened = await client('postgres');
      const { rows } = await opened.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'kit' ORDER BY pid",
        [database],
      );
      await opened.end();
      return rows.map((row) => row.pid);
    },
    dispose: async () => {
      const ending = child;
      child = null;
      await Promise.all([ending, ...standbys].map(stopped));
      await orphansGone(data);
      rmSync(base, { recursive: true, force: true });
    },
  };
}
