// What kit adds to a coding harness: from its start to its first event, from its last event to the
// result, what a hook waits for, and the worktree of a small and of a large repository.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../support/processes-typescript.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';

const { contribution } = await import('../../plugins/harness/src/executor.ts');
const { openGate } = await import('../../plugins/harness/src/gate/open-gate.ts');
const { createTestContext } = await import('../../src/sdk/testing.ts');
const { createClock } = await import('../../src/system/clock.ts');
const { createProcesses } = await import('../../src/system/processes/processes.ts');
const { readWorkerHost } = await import('../../src/system/worker-host.ts');
const { createWorktrees } = await import('../../src/system/worktrees/worktrees.ts');
const { TestLease } = await import('../support/processes.ts');

const TIMES = 30;
const ASKS = 500;
const EVENT_BAR_MS = 40;
const ANSWER_BAR_MS = 15;
const HOOK_BAR_MS = 25;
const HOOK = fileURLToPath(new URL('../../plugins/harness/src/hook/hook-process.ts', import.meta.url));
const EVENT = JSON.stringify({ tool_name: 'Bash', tool_use_id: 'c-1', tool_input: { command: 'ls' } });

/** One figure, and whether its bar holds. */
function tell(name, value, barMs) {
  show(name, ms(value), barMs === undefined ? {} : { bar: ms(barMs, 0), holds: value <= barMs });
}

const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];

/** A shell needs next to no time of its own: what is left is kit's. */
async function session(directory) {
  const line = (type) => `echo '{"type":"${type}","text":"x"}'`;
  const adapter = {
    launch: { command: ['sh', '-c', `${line('text')}; ${line('done')}`] },
    stream: { format: 'jsonl' },
    event_map: [
      { when: { type: 'text' }, emit: [{ event: 'message', with: { text: '$.text' } }] },
      { when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] },
    ],
  };
  const processes = createProcesses();
  const lease = new TestLease();
  const executor = await contribution.create({}, createTestContext({ clock: createClock() }));
  const firsts = [];
  const lasts = [];
  for (let time = 0; time < TIMES; time += 1) {
    let first = 0;
    let last = 0;
    const begun = performance.now();
    await executor.run(
      {
        ...{ agentId: 'a', statement: 'x', config: {}, adapter, sandboxRoot: directory, baseCommit: null },
        ...{ resumeToken: null, stepId: 's' },
        budget: { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 60_000 },
      },
      {
        ...{ signal: new AbortController().signal, log: { debug() {}, info() {}, warn() {}, error() {} } },
        ...{ clock: createClock(), env: { PATH: process.env.PATH ?? '' } },
        spawn: (spec, stop) => processes.spawn(spec, lease, stop ?? new AbortController().signal),
        emit: async () => {
          last = performance.now();
          first ||= last;
        },
      },
    );
    firsts.push(first - begun);
    lasts.push(performance.now() - last);
  }
  tell('start of a harness to its first event, p50', median(firsts), EVENT_BAR_MS);
  tell('last event of a harness to its result, without git, p50', median(lasts), EVENT_BAR_MS);
}

async function hooks(directory) {
  const place = { cwd: directory, top: directory };
  const gate = await openGate({
    spec: { protocol: 'claude-hook', tools: [], stdin: null, controlFiles: [], userSettings: null },
    gate: { exactness: 'exact', ask: async () => ({ verdict: 'allow' }) },
    ...{ place, session: null, node: process.execPath, hook: HOOK },
  });
  const file = join(dirname(gate.settings), 'hook.json');
  const { socket: path, token } = JSON.parse(readFileSync(file, 'utf8'));
  const answers = [];
  for (let asked = 0; asked < ASKS; asked += 1)
    answers.push(await askOnce(path, `${JSON.stringify({ token, event: EVENT })}\n`));
  tell('kit answers a hook, socket to socket, p99', percentile(answers, 0.99), ANSWER_BAR_MS);
  const bare = [];
  const hook = [];
  // One after the other, so that both see the same machine.
  for (let time = 0; time < TIMES; time += 1) {
    bare.push(await startOf(['-e', '0'], ''));
    hook.push(await startOf([HOOK.replace('/src/', '/dist/').replace(/\.ts$/, '.js'), file], EVENT));
  }
  tell('the hook above bare Node, p50', median(hook) - median(bare), HOOK_BAR_MS);
  await gate.close();
}

function askOnce(path, line) {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(line));
    socket.on('data', () => resolve(performance.now() - begun));
    socket.on('error', reject);
  });
}

function startOf(args, input) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', () => resolve(performance.now() - begun)));
}

async function trees(directory, files) {
  const [root, temp] = ['repository', 'temp'].map((name) => join(directory, `${name}-${files}`));
  for (const folder of [root, temp]) mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env.PATH ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=B', '-c', 'user.email=b@b', ...args], { cwd: root, env });
  for (let at = 0; at < files; at += 1) {
    const path = join(root, `d${at % 100}`, `f${at}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `line ${at}\n`.repeat(20));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  const worktrees = createWorktrees({ env, owner: readWorkerHost(), tempRoot: temp });
  const [made, told] = [[], []];
  for (let time = 0; time < 5; time += 1) {
    const begun = performance.now();
    const worktree = await worktrees.create({ repository: root, includeUncommitted: false, link: [] });
    made.push(performance.now() - begun);
    writeFileSync(join(worktree.path, 'new.txt'), 'new\n');
    const looked = performance.now();
    await worktree.diff();
    told.push(performance.now() - looked);
    await worktree.remove();
  }
  tell(`worktree of ${files} files, p50`, median(made));
  tell(`diff of ${files} files, p50`, median(told));
}

await inDirectory(async (directory) => {
  console.log(`a coding harness, ${loadNow()}`);
  await session(directory);
  await hooks(directory);
  await trees(directory, 10);
  await trees(directory, 10_000);
});
