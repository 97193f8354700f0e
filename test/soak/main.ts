import { parseArgs } from 'node:util';
import { soak } from './soak.js';

/** `npm run soak`: exit code 0 when nothing was found. */
export async function main(argv: readonly string[]): Promise<number> {
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
  const tell = (text: string): void => console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${text}`);
  const { findings, figures, isRight } = await soak({
    runs: Number(values.runs),
    seed: Number(values.seed),
    minutes: Number(values.minutes),
    workers: Number(values.workers),
    isAuditElsewhere: values['audit-elsewhere'],
    ...FULL,
    keepsFailure: true,
    tell,
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

const SHOWN = 20;
/** A lease of 5 s, a disturbance every 5 s, 48 runs at a time over 4 workers of 12. */
const FULL = { leaseSeconds: 5, concurrency: 12, lines: 8, everyMs: 5_000, inFlight: 48 } as const;
