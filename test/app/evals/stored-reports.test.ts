import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listReports, newestReport, readStored } from '../../../src/app/evals/stored-reports.js';
import { nodeFiles } from '../../../src/system/files.js';

const report = (setId: string, cases: Readonly<Record<string, boolean>>, over: object = {}): string =>
  JSON.stringify({
    eval_set_id: setId,
    target: 't',
    pass_rate: 0.5,
    not_run: [],
    started_at: '2026-11-26T10:00:00.000Z',
    finished_at: '2026-11-26T10:00:01.000Z',
    cases: Object.entries(cases).map(([id, passed]) => ({ id, passed, output: id, failures: passed ? [] : ['why'] })),
    ...over,
  });

function reports(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'kit-reports-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, 'eval-results');
  mkdirSync(directory);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  writeFileSync(join(root, 'outside.json'), report('outside', {}));
  return { files: nodeFiles, resultsDir: () => directory };
}

const FILES = {
  'a-20261126T100000Z.json': report('a', { one: true, two: false }),
  'a-20261126T100000Z.2.json': report('a', { one: false, two: true, three: true }),
  'a-b-20261125T100000Z.json': report('a-b', { one: true }),
  'z-20261124T100000Z.json': report('z', {}, { not_run: ['one'] }),
  'broken-20261127T100000Z.json': '{"cases": [',
  'notes.txt': 'no report',
};

it('lists what are reports, newest first over all sets, and those of one set alone', async () => {
  const deps = reports(FILES);
  const names = async (set: string | null, limit = 50) =>
    (await listReports(deps, { workspace: '/w', set, limit })).map(({ name }) => name);

  expect(await names(null)).toEqual([
    'a-20261126T100000Z.2',
    'a-20261126T100000Z',
    'a-b-20261125T100000Z',
    'z-20261124T100000Z',
  ]);
  expect(await names('a')).toEqual(['a-20261126T100000Z.2', 'a-20261126T100000Z']);
  expect(await names(null, 1)).toEqual(['a-20261126T100000Z.2']);
  expect((await newestReport(deps, '/w', 'a'))?.path).toMatch(/a-20261126T100000Z\.2\.json$/);
  expect(await newestReport(deps, '/w', 'z')).toBeNull(); // it was interrupted
});

it('reads one, and compares it with another that is named', async () => {
  const deps = reports(FILES);
  const found = await readStored(deps, {
    workspace: '/w',
    name: 'a-20261126T100000Z.2',
    against: 'a-20261126T100000Z',
  });

  expect(found.row).toMatchObject({ setId: 'a', total: 3, passed: 2 });
  expect(found.cases[0]).toEqual({
    id: 'one',
    passed: false,
    failures: ['why'],
    output: 'one',
    runId: null,
    durationMs: null,
  });
  expect(found.comparison).toMatchObject({
    report: 'a-20261126T100000Z',
    trend: 'worse',
    regressed: ['one'],
    fixed: ['two'],
    added: ['three'],
    removed: [],
  });
});

it('reads nothing but the reports of the directory', async () => {
  const deps = reports(FILES);
  for (const name of ['none', '../outside', 'broken-20261127T100000Z', 'notes.txt'])
    for (const ask of [
      { name, against: null },
      { name: 'a-20261126T100000Z', against: name },
    ])
      await expect(readStored(deps, { workspace: '/w', ...ask })).rejects.toMatchObject({ code: 'KIT_EVAL_UNKNOWN' });
});
