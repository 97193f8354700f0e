import { parseArgs } from 'node:util';
import { soak } from './soak.js';

/**
 * `npm run soak`: exit code 0 when nothing was found, 130 when a signal ended it, with nothing left
 * behind.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  // The second of a kind does not wait.
  for (const name of SIGNALS) process.once(name, () => interrupted.abort(name));
  try {
    return await soakOnce(argv, interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    console.log(`\n${interrupted.signal.reason}: the soak was given up, and all that it had started has ended`);
    return INTERRUPTED;
  }
}

async function soakOnce(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      runs: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '120' },
      workers: { type: 'string', default: '4' },
      'audit-elsewhere': { type: 'boolean', default: false },
    },
  });
  const startedMs = performance.now();
  const report = (text: string): void =>
    console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${text}`);
  const { findings, figures, isRight } = await soak({
    runs: Number(values.runs),
    seed: Number(values.seed),
    minutes: Number(values.minutes),
    workers: Number(values.workers),
    isAuditElsewhere: values['audit-elsewhere'],
    ...FULL,
    keepsFailure: true,
    tell: report,
    signal,
  });
  console.log(`\nsoak, seed ${values.seed}`);
  for (const [name, value] of Object.entries(figures)) console.log(`${String(value).padStart(8)}  ${name}`);
  console.log('');
  for (const { check, violations } of findings) {
    console.log(`${String(violations.length).padStart(8)}  ${check}`);
    for (const violation of violations.slice(0, SHOWN)) console.log(`          - ${violation}`);
  }
  console.log(isRight ? '\nnothing was lost and nothing came twice' : '\nVIOLATED');
  return isRight ? 0 : 1;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const INTERRUPTED = 130;
const SHOWN = 20;
/** A lease of 5 s, a disturbance every 5 s, 48 runs at a time over 4 workers of 12. */
const FULL = { leaseSeconds: 5, concurrency: 12, lines: 8, everyMs: 5_000, inFlight: 48 } as const;
