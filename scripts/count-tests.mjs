// Reads the reports of `npm test` and prints the one line `N passed, N failed[, N skipped]`; each failed phase is one more failure.
import { readFile } from 'node:fs/promises';

const readJson = (name) => readFile(new URL(`../${name}`, import.meta.url), 'utf8').then(JSON.parse, () => null);
const [report, phases] = await Promise.all([readJson('.test-report.json'), readJson('.test-phases.json')]);
const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report ?? {};
const brokenPhases = (phases?.failed ?? ['all']).filter((name) => name !== 'tests' || numFailedTests === 0);
const failed = numFailedTests + brokenPhases.length;
const skipped = numPendingTests + numTodoTests;
console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && numPassedTests > 0 ? 0 : 1;
