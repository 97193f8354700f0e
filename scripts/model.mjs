// The model check of approvals, whole or a share: `npm run model -- [--full] [--seed N] [--cases N]
// [--only CHECK]`. --full: every small policy, and 1,000,000 random cases. Exit 1 when engine and
// oracle differ; the case is printed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleModel, reportText, runModel } from '../test/model/bundle.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    cases: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const orders = [
  { check: 'one round', stride: values.full ? 1 : 40, count: 0 },
  { check: 'two rounds', stride: values.full ? 1 : 40, count: 0 },
  { check: 'twenty rounds', stride: 1, count: 0 },
  { check: 'satisfiable', stride: values.full ? 1 : 40, count: 0 },
  { check: 'satisfiable at random', stride: 1, count: values.full ? 100_000 : 2_000 },
  { check: 'symmetry', stride: 1, count: values.full ? 2_000 : 100 },
  { check: 'random', stride: 1, count: Number(values.cases ?? (values.full ? 1_000_000 : 20_000)) },
].filter(({ check }) => values.only === undefined || check === values.only);

const folder = await mkdtemp(join(tmpdir(), 'kit-model-'));
try {
  const path = join(folder, 'model.mjs');
  await bundleModel(path, null);
  for (const order of orders) {
    const report = await runModel(path, { ...order, seed });
    console.log(`seed ${seed}, ${reportText(report)}`);
    if (report.difference === null) continue;
    console.error(report.difference);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
