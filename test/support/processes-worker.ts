// A worker in a process of its own, to be killed: holds one supervised process under a lease of the
// given length and never renews it.
import { createProcesses } from '../../src/system/processes/processes.js';

const [leaseMs, mark, script, afterwards, word] = process.argv.slice(2);
const until = Date.now() + Number(leaseMs);
const child = createProcesses().spawn(
  {
    argv: ['/bin/sh', '-c', script ?? ''],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', KIT_TEST_MARK: mark ?? '' },
    stdin: '',
    maxLineBytes: 1_000,
    stderrTailBytes: 1_000,
    idleTimeoutMs: null,
    timeoutMs: null,
    maxOutputBytes: null,
    ...(afterwards === undefined
      ? {}
      : {
          afterwards: {
            argv: ['/bin/sh', '-c', afterwards],
            timeoutMs: 5_000,
            ...(word === undefined ? {} : { word }),
          },
        }),
  },
  { until: () => until, onRenew: () => () => {} },
  new AbortController().signal,
);
for await (const line of child.lines) process.stdout.write(`${JSON.stringify({ line, until })}\n`);
process.stdout.write(`${JSON.stringify(await child.done)}\n`);
