import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const PROGRAM = fileURLToPath(new URL('../../../support/components/postgres.mjs', import.meta.url));
/** Of the kernel's clock, in which /proc tells processor time. */
const TICK_MS = 10;

/**
 * A PostgreSQL of the bench's own that waits for the disk (`fsync`, `synchronous_commit`), for the
 * time of `work`.
 */
export async function withPostgres(work) {
  const child = spawn(process.execPath, [PROGRAM, '--with-parent', '--durable'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    if (url === undefined) throw new Error('PostgreSQL did not start');
    return await work({ url, database: (name) => createDatabase(url, name), cpuMs: await processorTime(url) });
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** Rows of the last statement; every number of PostgreSQL that fits is one. */
export async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query(text, values);
    return (Array.isArray(result) ? result.at(-1) : result).rows;
  } finally {
    await client.end();
  }
}

async function createDatabase(server, name) {
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Processor time of the server and of all that it has started, living or gone. */
async function processorTime(url) {
  const [{ directory }] = await query(url, "SELECT current_setting('data_directory') AS directory");
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return () => {
    let ticks = 0;
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      const stat = statOf(name);
      if (stat === null) continue;
      if (Number(name) === postmaster)
        ticks += Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14]);
      else if (Number(stat[1]) === postmaster) ticks += Number(stat[11]) + Number(stat[12]);
    }
    return ticks * TICK_MS;
  };
}

/** The fields after the name of the process; null when it is gone. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}
