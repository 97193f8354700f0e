import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Starts so many processes of one program (a file beside this one) that wait to be told to work,
 * for the time of `work`.
 */
export async function withWorkers({ program, count, args, nodeArgs = [], env = {} }, work) {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker({ program, args, nodeArgs, env })));
  try {
    return await work({
      go: () => askAll(workers, 'go'),
      /** Processor time of all of them so far. */
      cpuMs: async () => (await askAll(workers, 'cost')).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      rssBytes: async () => (await askAll(workers, 'cost')).map(({ rssBytes }) => rssBytes),
      /** What the program tells beside that. */
      facts: () => askAll(workers, 'cost'),
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

const askAll = (workers, line) => Promise.all(workers.map((worker) => worker.ask(line)));

async function startWorker({ program, args, nodeArgs, env }) {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [...nodeArgs, path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`a process of ${program} ended`);
    return JSON.parse(value);
  };
  await next();
  return {
    ask: (line) => {
      child.stdin.write(`${line}\n`);
      return next();
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
