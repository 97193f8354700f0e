import { readFileSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBuilt } from './built.js';
import { above, childrenCpuMs, percentile, runBare, type Times, timesOf } from './times.js';

const HOOK = fileURLToPath(new URL('../../../../plugins/harness/dist/hook/hook-process.cjs', import.meta.url));
const EVENT = JSON.stringify({ tool_name: 'Bash', tool_use_id: 'c-1', tool_input: { command: 'ls' } });
/** As many answers in a row are looked at together. */
const ROW = 100;

export interface HookTimes {
  readonly answerP99Ms: number;
  /** Of the calmest hundred in a row. */
  readonly calmestP99Ms: number;
  readonly aboveNode: Times;
  /** Processor time of one hook, and of Node with nothing to do. */
  readonly cpuMs: number;
  readonly bareCpuMs: number;
}

/**
 * Answers over the socket, where what the adapter says of a call is looked up and the call is
 * allowed at once; then the program of the hook beside Node with nothing to do, in turns.
 */
export async function measureHooks(
  directory: string,
  { asks, times }: { readonly asks: number; readonly times: number },
): Promise<HookTimes> {
  const { answerHook, createAsker, openLaunchSocket } = await loadBuilt();
  const top = realpathSync(directory);
  const asker = createAsker({
    spec: {
      ...{ protocol: 'claude-hook', stdin: null, controlFiles: [], refuseControlFiles: false, userSettings: null },
      tools: [{ name: 'Bash', kind: 'execute', subject: 'command' }],
    },
    gate: { exactness: 'exact', ask: async () => ({ verdict: 'allow' }) },
    ...{ place: { cwd: top, top }, session: null, tools: null },
  });
  const launchSocket = await openLaunchSocket({ onEvent: (event, gone) => answerHook(asker, event, gone) });
  try {
    const { socket, token } = JSON.parse(readFileSync(launchSocket.file, 'utf8')) as Record<'socket' | 'token', string>;
    const answers: number[] = [];
    for (let asked = 0; asked < asks; asked += 1)
      answers.push(await askOnce(join(launchSocket.folder, socket), `${JSON.stringify({ token, event: EVENT })}\n`));
    const rows = Array.from({ length: Math.floor(asks / ROW) }, (_, row) => answers.slice(row * ROW, (row + 1) * ROW));
    const [bare, hook]: [number[], number[]] = [[], []];
    let [cpuMs, bareCpuMs] = [0, 0];
    for (let time = 0; time < times; time += 1) {
      const before = childrenCpuMs();
      bare.push((await runBare(process.execPath, ['-e', '0'])).endMs);
      const between = childrenCpuMs();
      hook.push((await runBare(process.execPath, [HOOK, launchSocket.file], EVENT)).endMs);
      bareCpuMs += between - before;
      cpuMs += childrenCpuMs() - between;
    }
    return {
      answerP99Ms: percentile(answers, 0.99),
      calmestP99Ms: Math.min(...rows.map((row) => percentile(row, 0.99))),
      aboveNode: above(timesOf(hook), timesOf(bare)),
      cpuMs: cpuMs / times,
      bareCpuMs: bareCpuMs / times,
    };
  } finally {
    await launchSocket.close();
  }
}

function askOnce(path: string, line: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(line));
    socket.on('data', () => resolve(performance.now() - begun));
    socket.on('error', reject);
  });
}
