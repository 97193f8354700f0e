// Reads the reports of `npm test` and `npm run test:long`, names what failed, and prints as its
// last line `N passed, N failed[, N skipped]`, their sum; each failed phase is one more failure.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** A longer list is a broken build: the logs above tell it. */
const MAX_NAMED = 40;
const MAX_MESSAGE_LINES = 12;
const root = fileURLToPath(new URL('..', import.meta.url));

const readJson = (name) => readFile(new URL(`../${name}`, import.meta.url), 'utf8').then(JSON.parse, () => null);

async function countsOf(prefix) {
  const [report, phases] = await Promise.all([readJson(`${prefix}-report.json`), readJson(`${prefix}-phases.json`)]);
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report ?? {};
  const brokenPhases = (phases?.failed ?? ['all']).filter((name) => !name.endsWith('tests') || numFailedTests === 0);
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenPhases.length,
    skipped: numPendingTests + numTodoTests,
    failures: [...(report?.testResults ?? []).flatMap(failuresOf), ...brokenPhases.map((name) => `phase ${name}`)],
  };
}

/** The beginning of a message says what was expected; its stack lies in the log above. */
const beginningOf = (message) =>
  stripVTControlCharacters(message).split('\n').slice(0, MAX_MESSAGE_LINES).join('\n    ').slice(0, 1500);

function failuresOf({ name, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  // A file that could not be loaded has no tests, only a message.
  if (failed.length === 0) return message ? [`${file}\n    ${beginningOf(message)}`] : [];
  return failed.map(
    ({ fullName, failureMessages }) => `${file}: ${fullName}\n    ${beginningOf(failureMessages[0] ?? '')}`,
  );
}

const parts = await Promise.all(['.test', '.test-long', '.test-measures'].map(countsOf));
const sum = (name) => parts.reduce((total, counts) => total + counts[name], 0);
const skipped = sum('skipped');
const failures = parts.flatMap((part) => part.failures);
for (const failure of failures.slice(0, MAX_NAMED)) console.log(`failed: ${failure}`);
if (failures.length > MAX_NAMED) console.log(`and ${failures.length - MAX_NAMED} more`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
