// Stands before a program (`--import`): where it ends, a line of JSON in the file that
// KIT_BENCH_COST names says what its process cost.
import { appendFileSync, readFileSync } from 'node:fs';

const path = process.env.KIT_BENCH_COST;
if (path !== undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cost = { cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: (ownPeakKb() ?? maxRSS) / 1024 };
    appendFileSync(path, `${JSON.stringify(cost)}\n`);
  });

/** Linux counts whoever started the program into `maxRSS`; null elsewhere. */
function ownPeakKb() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return null;
  }
}
