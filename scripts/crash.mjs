// The long checks of durability at full length: every fault point, kills inside effects and during
// a resume, takeovers, sixty seconds of three processes on one store; on SQLite and on PostgreSQL.
// `npm run test:long` runs a share of them. Further arguments go to the test runner.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const checks = [
  'test/crash',
  'test/journals',
  'test/replay',
  'test/store/sqlite/crash.test.ts',
  'test/store/sqlite/processes.test.ts',
  'test/store/postgres',
];
const env = { KIT_TEST_CRASH: 'full', KIT_TEST_HAMMER_MS: '60000', ...process.env };
const runner = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const args = process.argv.slice(2);

// One file at a time: the figures are those of the check alone.
const child = spawn(
  process.execPath,
  [runner, 'run', '--no-file-parallelism', '--reporter=default', ...(args.length > 0 ? args : checks)],
  {
    cwd: root,
    env,
    stdio: 'inherit',
  },
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
