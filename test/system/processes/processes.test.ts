import { describe, expect, it } from 'vitest';
import type { ProcessSpec } from '../../../src/domain/ports/system.js';
import { createProcesses } from '../../../src/system/processes/processes.js';
import {
  collect,
  isRunning,
  killListed,
  linesOf,
  nodeScript,
  processesWith,
  processSpec,
  shell,
  TestLease,
  until,
} from '../../support/processes.js';

const never = new AbortController().signal;
const processes = createProcesses({ graceMs: 1_500, drainMs: 500 });
const run = (spec: ProcessSpec, signal = never) => collect(processes.spawn(spec, new TestLease(), signal));

describe('a supervised process', () => {
  it('gives lines, exit code and the tail of stderr', async () => {
    const { lines, result } = await run(shell('echo one; echo two; echo oops >&2; exit 3'));

    expect(lines).toEqual(['one', 'two']);
    expect(result).toMatchObject({ exitCode: 3, signal: null, ended: null, stderrTail: 'oops\n' });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('reports death by a signal', async () => {
    const { result } = await run(shell('kill -USR1 $$'));

    expect(result).toMatchObject({ exitCode: null, signal: 'SIGUSR1', ended: null });
  });

  it('survives a child that signals its whole group', async () => {
    const { lines, result } = await run(
      shell('trap "" TERM HUP INT; kill -TERM 0; kill -HUP 0; kill -INT 0; echo still here'),
    );

    expect(lines).toEqual(['still here']);
    expect(result).toMatchObject({ exitCode: 0, ended: null });
  });

  it('is found out and cleaned up when it kills its own supervisor', async () => {
    const mark = `mark-${Math.random()}`;
    const { result } = await run(
      shell('setsid sleep 301 & kill -9 $PPID; sleep 302', { env: { PATH: process.env.PATH ?? '', MARK: mark } }),
    );

    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(processesWith(mark)).toEqual([]);
  });

  it('rejects done with ENOENT in the cause when the program does not exist', async () => {
    const child = processes.spawn(processSpec(['kit-no-such-program']), new TestLease(), never);

    await expect(child.done).rejects.toMatchObject({
      message: expect.stringContaining('kit-no-such-program'),
      cause: { code: 'ENOENT' },
    });
    expect(await linesOf(child)).toEqual([]);
  });

  it('names the working directory when that is what is missing', async () => {
    const child = processes.spawn(shell('true', { cwd: '/no/such/place' }), new TestLease(), never);

    await expect(child.done).rejects.toThrow('/no/such/place');
  });

  it('rejects done when the supervisor cannot be started', async () => {
    const child = createProcesses({ nodePath: '/no/such/node' }).spawn(shell('true'), new TestLease(), never);

    await expect(child.done).rejects.toMatchObject({ cause: { code: 'ENOENT' } });
    expect(await linesOf(child)).toEqual([]);
  });

  it('has exactly the given environment and a marker, and no secret in its command line', async () => {
    const { lines } = await run(nodeScript('console.log(JSON.stringify(process.env))', { env: { A: '1' } }));

    expect(JSON.parse(lines[0] ?? '')).toEqual({ A: '1', KIT_PROCESS_ID: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('runs in its own session, in the group of its supervisor', async () => {
    const { lines } = await run(
      nodeScript('console.log(process.ppid, require("fs").readFileSync("/proc/self/stat", "latin1"))'),
    );

    const [parent, ...stat] = (lines[0] ?? '').split(' ');
    expect(stat.slice(4, 6)).toEqual([parent, parent]);
    expect(Number(parent)).not.toBe(process.pid);
  });
});

describe('stdin of a supervised process', () => {
  it('holds the text and then ends', async () => {
    const text = 'é'.repeat(300_000);
    const { lines } = await run(shell('wc -c', { stdin: text }));

    expect(lines.map((line) => line.trim())).toEqual(['600000']);
  });

  it('ends at once when there is no text', async () => {
    const { lines, result } = await run(shell('cat; echo end'));

    expect(lines).toEqual(['end']);
    expect(result.exitCode).toBe(0);
  });

  it('may be closed unread', async () => {
    const { lines, result } = await run(shell('exec <&-; echo closed; sleep 0.2', { stdin: 'x'.repeat(2_000_000) }));

    expect(lines).toEqual(['closed']);
    expect(result).toMatchObject({ exitCode: 0, ended: null });
  });

  it('is a conversation where parts follow, each answered before the next is written', async () => {
    const heard: string[] = [];
    let next: (text: string | null) => void = () => {};
    async function* parts(): AsyncGenerator<string> {
      for (;;) {
        const text = await new Promise<string | null>((resolve) => {
          next = resolve;
        });
        if (text === null) return;
        yield text;
      }
    }
    const child = processes.spawn(
      shell('cat; echo end', { stdin: 'first\n', stdinParts: parts() }),
      new TestLease(),
      never,
    );
    for await (const line of child.lines) {
      heard.push(line);
      next(line === 'first' ? 'second\n' : null);
    }

    expect(heard).toEqual(['first', 'second', 'end']);
    expect(await child.done).toMatchObject({ exitCode: 0, ended: null });
  });

  it('lets go of its parts when the child is gone', async () => {
    let isOver = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        isOver = true;
      }
    }
    const { result } = await run(shell('head -c 10 > /dev/null; exit 4', { stdinParts: endless() }));

    expect(result).toMatchObject({ exitCode: 4, ended: null });
    await until('the parts are let go', () => isOver);
  });
});

describe('stdout of a supervised process', () => {
  it('joins a UTF-8 sequence that was written in two pieces', async () => {
    const script =
      'const b = Buffer.from("a€😀b\\n"); let i = 0; const t = setInterval(() => { if (i === b.length) clearInterval(t); else process.stdout.write(b.subarray(i, ++i)); }, 5);';
    const { lines } = await run(nodeScript(script));

    expect(lines).toEqual(['a€😀b']);
  });

  it('gives lines without CRLF and a last line without newline', async () => {
    const { lines } = await run(shell('printf "a\\r\\n\\r\\nb\\rc\\nlast"'));

    expect(lines).toEqual(['a', '', 'b\rc', 'last']);
  });

  it('ends the process at a line of 20 MB', async () => {
    const script =
      'process.stdout.write("ok\\n"); process.stdout.write("x".repeat(20e6) + "\\n", () => setTimeout(() => {}, 60e3));';
    const { lines, result } = await run(nodeScript(script));

    expect(lines).toEqual(['ok']);
    expect(result).toMatchObject({ ended: 'line_too_long', signal: 'SIGTERM' });
  });

  it('holds little of a line of 200 MB that goes on though its process was asked to end', async () => {
    const before = process.memoryUsage().rss;
    const script =
      'process.on("SIGTERM", () => {}); const b = Buffer.alloc(1e6, "x"); for (let i = 0; i < 200; i++) require("fs").writeSync(1, b);';
    const { lines, result } = await collect(createProcesses().spawn(nodeScript(script), new TestLease(), never));

    expect(lines).toEqual([]);
    expect(result).toMatchObject({ ended: 'line_too_long', exitCode: 0 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  it('finds a line that is too long also in what a finished process left in the pipe', async () => {
    const child = processes.spawn(shell('printf 0123456789'), new TestLease(), never);
    const strict = processes.spawn(shell('printf 0123456789', { maxLineBytes: 9 }), new TestLease(), never);

    expect(await child.done).toMatchObject({ ended: null });
    expect(await strict.done).toMatchObject({ ended: 'line_too_long' });
    expect(await linesOf(child)).toEqual(['0123456789']);
    expect(await linesOf(strict)).toEqual([]);
  });

  it('ends the process when there is too much in all, and keeps the lines up to there', async () => {
    const { lines, result } = await run(shell('yes 123456789', { maxOutputBytes: 1_000 }));

    expect(lines).toEqual(Array.from({ length: 100 }, () => '123456789'));
    expect(result.ended).toBe('output_too_large');
  });

  it('blocks the child while nobody reads, and loses nothing', async () => {
    const script =
      'let n = 0; const fs = require("fs"); while (n < 40000) { fs.writeSync(1, "line " + n++ + " ".repeat(90) + "\\n"); } fs.writeSync(2, "written");';
    const child = processes.spawn(nodeScript(script, { idleTimeoutMs: 1_500 }), new TestLease(), never);
    const reader = child.lines[Symbol.asyncIterator]();
    const first = await reader.next();
    const isDone = await Promise.race([child.done, new Promise((resolve) => setTimeout(resolve, 2_500, 'blocked'))]);

    expect(first.value).toMatch(/^line 0 /);
    expect(isDone).toBe('blocked');
    let count = 1;
    for (let item = await reader.next(); item.done !== true; item = await reader.next()) count += 1;
    expect(count).toBe(40_000);
    expect(await child.done).toMatchObject({ exitCode: 0, ended: null, stderrTail: 'written' });
  });

  it('may be left by its reader: the process goes on to its end', async () => {
    const child = processes.spawn(shell('echo a; yes | head -c 3000000; exit 4'), new TestLease(), never);
    for await (const line of child.lines) if (line === 'a') break;

    expect(await child.done).toMatchObject({ exitCode: 4, ended: null });
  });
});

describe('stderr of a supervised process', () => {
  it('is kept from its end, without colours, in whole characters', async () => {
    const script = 'process.stderr.write("x".repeat(500000) + "\\u001b[31mred\\u001b[0m" + "é".repeat(10))';
    const { result } = await run(nodeScript(script, { stderrTailBytes: 25 }));

    expect(result.stderrTail).toBe(`xxred${'é'.repeat(10)}`);
    const cut = await run(nodeScript(script, { stderrTailBytes: 20 }));
    expect(cut.result.stderrTail).toBe('é'.repeat(10));
    const odd = await run(nodeScript(script, { stderrTailBytes: 5 }));
    expect(odd.result.stderrTail).toBe('éé');
  });
});

describe('the end of a supervised process', () => {
  it('comes by idle when nothing arrives on stdout and stderr', async () => {
    const { lines, result } = await run(shell('echo a; echo b >&2; sleep 300', { idleTimeoutMs: 600 }));

    expect(lines).toEqual(['a']);
    expect(result).toMatchObject({ ended: 'idle', signal: 'SIGTERM', stderrTail: 'b\n' });
  });

  it('comes by the total time though it keeps talking', async () => {
    const { result } = await run(
      shell('while true; do echo tick; sleep 0.05; done', { timeoutMs: 2_500, idleTimeoutMs: 2_000 }),
    );

    expect(result.ended).toBe('timeout');
    expect(result.durationMs).toBeGreaterThanOrEqual(2_500);
  });

  it('comes with TERM first: a child may tidy up and its last lines are kept', async () => {
    const abort = new AbortController();
    const child = processes.spawn(
      shell('trap "echo bye; exit 7" TERM; echo up; while true; do sleep 0.05; done'),
      new TestLease(),
      abort.signal,
    );
    const lines: string[] = [];
    for await (const line of child.lines) {
      lines.push(line);
      if (line === 'up') abort.abort();
    }

    expect(lines).toEqual(['up', 'bye']);
    expect(await child.done).toMatchObject({ exitCode: 7, ended: 'aborted' });
  });

  it('comes with KILL after the grace for a child that ignores TERM, and for one that is stopped', async () => {
    for (const script of [
      'trap "" TERM; echo up; while true; do sleep 0.05; done',
      'trap "" TERM; echo up; kill -STOP $$; while true; do sleep 0.05; done',
    ]) {
      const abort = new AbortController();
      const child = processes.spawn(shell(script), new TestLease(), abort.signal);
      let abortedAt = 0;
      for await (const line of child.lines) {
        if (line !== 'up') continue;
        abortedAt = performance.now();
        abort.abort();
      }

      expect(await child.done).toMatchObject({ signal: 'SIGKILL', ended: 'aborted' });
      expect(performance.now() - abortedAt).toBeGreaterThanOrEqual(1_500);
    }
  });

  it('never comes before a grandchild that left group and session is gone as well', async () => {
    const abort = new AbortController();
    const mark = `mark-${Math.random()}`;
    const script = `setsid sh -c 'trap "" TERM; (trap "" TERM; echo up; sleep 300; sleep 300) & exit 0'; sleep 300`;
    const child = processes.spawn(
      shell(script, { env: { PATH: process.env.PATH ?? '', MARK: mark } }),
      new TestLease(),
      abort.signal,
    );
    for await (const line of child.lines) if (line === 'up') abort.abort();

    expect(await child.done).toMatchObject({ ended: 'aborted' });
    expect(processesWith(mark)).toEqual([]);
  });

  it('is found through its parent when it cleared its environment and left the group', async () => {
    const abort = new AbortController();
    const child = processes.spawn(shell('setsid env -i sleep 317 & echo up; wait'), new TestLease(), abort.signal);
    for await (const line of child.lines)
      if (line === 'up') {
        await until('the grandchild sleeps', () => processesWith('sleep\u0000317').length === 1);
        abort.abort();
      }

    await child.done;
    expect(processesWith('sleep\u0000317')).toEqual([]);
  });

  it('does not wait for a grandchild that holds the pipe after the child exited', async () => {
    const { lines, result } = await run(
      shell('(trap "" TERM HUP; echo held; sleep 300) & sleep 0.2; echo done; exit 0'),
    );

    expect(lines).toEqual(['held', 'done']);
    expect(result).toMatchObject({ exitCode: 0, signal: null, ended: null });
  });

  it('waits a moment for a grandchild that still writes', async () => {
    const { lines } = await run(shell('(sleep 0.2; echo late) & echo early'));

    expect(lines).toEqual(['early', 'late']);
  });

  it('is the end of the lease when nobody renews, and later when somebody does', async () => {
    const lease = new TestLease(3_000);
    const endsAt = lease.until();
    const child = processes.spawn(shell('echo up; sleep 300'), lease, never);
    for await (const line of child.lines) if (line === 'up') lease.renew(4_000);

    expect(await child.done).toMatchObject({ ended: 'aborted', signal: 'SIGKILL' });
    expect(Date.now()).toBeGreaterThanOrEqual(lease.until());
    expect(lease.until()).toBeGreaterThan(endsAt);
    expect(lease.listeners).toBe(0);
  });

  it('comes before the start when the run is aborted or the lease is over', async () => {
    expect(await run(shell('echo no'), AbortSignal.abort())).toMatchObject({
      lines: [],
      result: { ended: 'aborted', exitCode: null },
    });
    const late = processes.spawn(shell('echo no'), new TestLease(-1), never);
    expect(await collect(late)).toMatchObject({ lines: [], result: { ended: 'aborted' } });
  });

  it('comes before the start when the lease is over by the time that the supervisor is up: nothing is left to run without one', async () => {
    const mark = `late-${process.pid}-${Math.random()}`;
    const asked = [Date.now() + 60_000, Date.now() - 1];
    const lease = Object.assign(new TestLease(), { until: () => asked.shift() ?? 0 });
    const late = processes.spawn(
      shell('sleep 300', { env: { PATH: process.env.PATH ?? '', LATE: mark } }),
      lease,
      never,
    );

    expect(await collect(late)).toMatchObject({ lines: [], result: { ended: 'aborted' } });
    const left = processesWith(mark);
    for (const pid of left) killListed(pid);
    expect(left).toEqual([]);
  });

  it('comes through the worker when the supervisor is stopped', async () => {
    const abort = new AbortController();
    const quick = createProcesses({ graceMs: 100 });
    const child = quick.spawn(shell('echo $PPID; sleep 300'), new TestLease(), abort.signal);
    let supervisor = 0;
    for await (const line of child.lines) {
      supervisor = Number(line);
      process.kill(supervisor, 'SIGSTOP');
      abort.abort();
    }

    expect(await child.done).toMatchObject({ ended: 'aborted' });
    expect(isRunning(supervisor)).toBe(false);
  });
});
