// Measures what the in-process tests of each room reach of it, and holds that to a floor:
// `npm run coverage [-- ROOM...]`. A room is a folder of src that has tests in the folder of the
// same name below test; scripts/lib/coverage-floors.json has its floors, two points below what was
// measured. Exit code 1: below a floor, a room without one, no figures.
//
// The rooms with a floor are those whose tests work in this process, and together take a minute
// of processor time: cassette, compile, govern, lib, text, view, worker. The tests of engine alone
// take longer than all of these; for the others the table says why they are left out.
//
// It measures and does not judge tests: `npm test` does. Code runs slower under measurement, and a
// test that fails for it has reached its lines all the same.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeCoverage, measuredRooms } from './lib/coverage-floors.mjs';
import { runNode, runPhasesAtOnce } from './lib/phases.mjs';
import { openScratch } from './lib/scratch.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Much of the time of a room is waiting: three share two processors better than two do. */
const AT_ONCE = 3;
/** They take longest, and worker waits for most of that time: begun last, it would be alone. */
const FIRST = ['worker', 'compile', 'cassette'];
/** Tests of a room that start kit as processes: nothing that runs there is measured. */
const IN_PROCESSES = /^test\/compile\/keys\//;
/** Tests of lib that need what a build makes: the quickstart runs test/lib where there is none. */
const BUILT = { lib: 'compile/lib' };
/**
 * Parts of the names of tests that do the same thousands of times: measured, they took half of the
 * processor time of their rooms for a quarter of a point. Without them a figure is lower, never
 * higher; `npm test` runs them.
 */
const REPEATING = [
  'comes to an end where a client sends an input',
  'fails for every byte of it, whatever it is flipped to',
  'fails when a byte is missing or one too many, anywhere',
  'fits the meta-schema and compiles',
  'is one that the validator finds it to fit',
  'says that a file holds too many values, and nothing of aliases',
  'takes no longer for each of many lines that hold a secret',
];
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

async function foldersOf(path) {
  const entries = await readdir(join(root, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Room -> the paths of its tests that run in the process of the test runner. */
async function testsOfRooms() {
  const tested = new Set(await foldersOf('test'));
  const rooms = (await foldersOf('src')).filter((room) => tested.has(room));
  const testsIn = async (folder) => {
    const paths = await readdir(join(root, 'test', folder), { recursive: true });
    return paths.filter((path) => path.endsWith('.test.ts')).map((path) => `test/${folder}/${path}`);
  };
  const found = rooms.map(async (room) => {
    const folders = room in BUILT ? [room, BUILT[room]] : [room];
    const tests = (await Promise.all(folders.map(testsIn))).flat();
    return [room, tests.filter((path) => !IN_PROCESSES.test(path)).toSorted()];
  });
  return Object.fromEntries((await Promise.all(found)).filter(([, tests]) => tests.length > 0));
}

/** A phase. It goes well when there are figures, which `take` gets. */
const measure =
  ({ room, tests, scratch, take }) =>
  async (sink) => {
    const reports = join(scratch.directory, 'coverage', room);
    await runNode({
      cwd: root,
      args: [
        'node_modules/vitest/vitest.mjs',
        'run',
        ...tests,
        '--project=pure',
        '--project=rooms',
        '--project=world',
        '--project=alone',
        '--maxWorkers=1',
        `--testNamePattern=^(?!.*(?:${REPEATING.join('|')}))`,
        '--reporter=dot',
        '--silent',
        '--coverage.enabled',
        '--coverage.provider=v8',
        `--coverage.include=src/${room}/**`,
        '--coverage.exclude=**/generated/**',
        '--coverage.reporter=json-summary',
        '--coverage.reportOnFailure',
        `--coverage.reportsDirectory=${reports}`,
      ],
      env: scratch.env,
      sink,
      onStart: scratch.owns,
    });
    const summary = await readJson(join(reports, 'coverage-summary.json')).catch(() => null);
    if (summary === null || summary.total.lines.total === 0) return false;
    const { lines, branches } = summary.total;
    sink.write(`${room}: lines ${lines.pct} %, branches ${branches.pct} %\n`);
    take({ lines: lines.pct, branches: branches.pct });
    return true;
  };

const table = await readJson(new URL('./lib/coverage-floors.json', import.meta.url));
const tests = await testsOfRooms();
const named = process.argv.slice(2);
const isAsked = (room) => named.length === 0 || named.includes(room);
const unknown = named.filter((room) => tests[room] === undefined);
if (unknown.length > 0) throw new Error(`no room with tests: ${unknown.join(', ')}`);
const texts = await Promise.all(
  Object.values(tests).flatMap((paths) => paths.map((path) => readFile(root + path, 'utf8'))),
);
const gone = REPEATING.filter((name) => !texts.some((text) => text.includes(name)));
if (gone.length > 0) throw new Error(`no test has this in its name: ${gone.join('; ')}`);
const rooms = Object.keys(tests).filter(isAsked);
const floors = Object.fromEntries(Object.entries(table).filter(([room]) => isAsked(room)));
const seen = {};
const scratch = await openScratch();
try {
  const measured = measuredRooms(rooms, floors);
  const inOrder = new Set([...FIRST.filter((room) => measured.includes(room)), ...measured]);
  const phases = [...inOrder].map((room) => [
    room,
    measure({ room, tests: tests[room], scratch, take: (figures) => Object.assign(seen, { [room]: figures }) }),
  ]);
  await runPhasesAtOnce(Object.fromEntries(phases), AT_ONCE);
} finally {
  await scratch.close();
}
const { faults, notes } = judgeCoverage(floors, rooms, seen);
for (const note of notes) console.log(`note: ${note}`);
for (const fault of faults) console.error(`FAIL ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
