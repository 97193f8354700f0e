import { createInterface } from 'node:readline';

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/**
 * The worker's side of `worker-group.mjs`: ready at once, works after `go`, ends with its stdin.
 */
export async function answerLines({ start, facts = () => ({}) }) {
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'go') await start();
    const { user, system } = process.cpuUsage();
    say({ cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss(), ...facts() });
  }
}
