// Reads the reports of `npm test` and `npm run test:long` and prints the one line
// `N passed, N failed[, N skipped]`, their sum; each failed phase is one more failure.
import { readFile } from 'node:fs/promises';

const readJson = (name) => readFile(new URL(`../${name}`, import.meta.url), 'utf8').then(JSON.parse, () => null);

async function countsOf(prefix) {
  const [report, phases] = await Promise.all([readJson(`${prefix}-report.json`), readJson(`${prefix}-phases.json`)]);
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report ?? {};
  const brokenPhases = (phases?.failed ?? ['all']).filter((name) => !name.endsWith('tests') || numFailedTests === 0);
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenPhases.length,
    skipped: numPendingTests + numTodoTests,
  };
}

const parts = await Promise.all(['.test', '.test-long', '.test-measures'].map(countsOf));
const sum = (name) => parts.reduce((total, counts) => total + counts[name], 0);
const skipped = sum('skipped');
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
