import type { ExecutorContext, ExecutorRequest } from '../../../../src/sdk/plugin.js';
import { createTestContext } from '../../../../src/sdk/testing.js';
import { TestLease } from '../../../support/processes.js';
import { loadBuilt } from './built.js';
import { above, childrenCpuMs, runBare, type Times, timesOf } from './times.js';

const line = (type: string): string => `echo '{"type":"${type}","text":"x"}'`;
/** A shell needs next to no time of its own: what is left is kit's. */
const PROGRAM = ['sh', '-c', `${line('text')}; ${line('done')}`] as const;
const ADAPTER = {
  launch: { command: [...PROGRAM] },
  stream: { format: 'jsonl' },
  event_map: [
    { when: { type: 'text' }, emit: [{ event: 'message', with: { text: '$.text' } }] },
    { when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] },
  ],
};

export interface SessionTimes {
  /** From the call that starts a program to the first event, less what the program alone takes. */
  readonly first: Times;
  /** From the last event to the result. */
  readonly last: Times;
  /** Processor time of a launch: the supervisor, the program, and kit meanwhile. */
  readonly cpuMs: number;
  /** The program alone, and Node with nothing to do. */
  readonly bareProgram: Times;
  readonly bareNode: Times;
}

/** Launches of a program that says two lines, and the program alone, in turns. */
export async function measureSessions(directory: string, times: number): Promise<SessionTimes> {
  const { contribution, createClock, createProcesses } = await loadBuilt();
  const processes = createProcesses();
  const lease = new TestLease();
  const executor = await contribution.create({}, createTestContext({ clock: createClock() }));
  const request: ExecutorRequest = {
    ...{ agentId: 'a', statement: 'x', config: {}, adapter: ADAPTER, sandboxRoot: directory, baseCommit: null },
    ...{ resumeToken: null, stepId: 's' },
    budget: { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 60_000 },
  };
  const firsts: number[] = [];
  const lasts: number[] = [];
  const programs: number[] = [];
  const nodes: number[] = [];
  let cpuMs = 0;
  const launch = async (): Promise<void> => {
    let spawnedAt = 0;
    let firstAt = 0;
    let lastAt = 0;
    const context: ExecutorContext = {
      ...{ signal: new AbortController().signal, log: { debug() {}, info() {}, warn() {}, error() {} } },
      ...{ clock: createClock(), env: { PATH: process.env.PATH ?? '' } },
      spawn: (spec, stop) => {
        spawnedAt = performance.now();
        return processes.spawn(spec, lease, stop ?? new AbortController().signal);
      },
      emit: async () => {
        lastAt = performance.now();
        firstAt ||= lastAt;
      },
    };
    const cpu = process.cpuUsage();
    const children = childrenCpuMs();
    const { status } = await executor.run(request, context);
    if (status !== 'success') throw new Error(`the session ended as ${status}`);
    lasts.push(performance.now() - lastAt);
    firsts.push(firstAt - spawnedAt);
    const { user, system } = process.cpuUsage(cpu);
    cpuMs += (user + system) / 1000 + childrenCpuMs() - children;
  };
  // The first one loads what all others have.
  await launch();
  firsts.length = 0;
  lasts.length = 0;
  cpuMs = 0;
  for (let time = 0; time < times; time += 1) {
    const [file, ...args] = PROGRAM;
    programs.push((await runBare(file, args)).firstMs);
    nodes.push((await runBare(process.execPath, ['-e', '0'])).endMs);
    await launch();
  }
  const bareProgram = timesOf(programs);
  return {
    first: above(timesOf(firsts), bareProgram),
    last: timesOf(lasts),
    cpuMs: cpuMs / times,
    bareProgram,
    bareNode: timesOf(nodes),
  };
}
