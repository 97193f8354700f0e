import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileDirectory } from '../../src/app/load-workspace.js';
import { isKitError } from '../../src/domain/errors.js';
import { deps } from '../support/compile.js';

const root = fileURLToPath(new URL('../fixtures/workspaces/', import.meta.url));

interface Row {
  readonly name: string;
  readonly codes: readonly string[];
  readonly places: readonly string[];
}

/**
 * Where the expectation of the corpus is not ours, and why. The rest of the table is index.tsv
 * itself.
 */
const OURS: Readonly<
  Record<string, { readonly codes: readonly string[]; readonly places: readonly string[]; readonly why: string }>
> = {
  'fixture-invalid-composed-cycle': {
    codes: ['skill.composed-cycle'],
    places: ['skills/a.yaml#/implementation/composes'],
    why: 'a cycle is one mistake: it is reported once, at its first member (the index allows it)',
  },
  'sdlc-pipeline': {
    codes: ['funnel.missing-file'],
    places: ['funnels/*'],
    why: 'a schema or rubric file that is missing is an error at load',
  },
};

/**
 * Variables that a workspace is written for; the commands of its servers name them, and a hole in a
 * command is an error.
 */
const MACHINES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sterling-oms': Object.fromEntries(
    ['STERLING_PROJECT_CODE_DIR', 'STERLING_NOTES_DIR', 'STERLING_REVIEW_DOCS_DIR', 'STERLING_KNOWLEDGE_DIR'].map(
      (name) => [name, '/data'],
    ),
  ),
  'rynko-content': { RYNKO_KNOWLEDGE_DIR: '/data' },
};

const rows = readFileSync(`${root}index.tsv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line): Row => {
    const [name = '', , codes = '-', places = '-'] = line.split('\t');
    const ours = OURS[name];
    return ours === undefined
      ? { name, codes: codes === '-' ? [] : codes.split(','), places: places === '-' ? [] : places.split(',') }
      : { name, ...ours };
  });

const fits = (place: string, pattern: string): boolean =>
  pattern.endsWith('*') ? place.startsWith(pattern.slice(0, -1)) : place === pattern;

test('the corpus holds twenty workspaces', () => {
  expect(rows).toHaveLength(20);
});

test.each(rows.filter((row) => row.name !== 'vedanta-advisor-partial'))(
  'the workspace $name of the corpus is judged as the table says',
  async ({ name, codes, places }) => {
    const result = await compileDirectory(`${root}${name}`, deps(MACHINES[name]));

    const errors = result.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    expect([...new Set(errors.map((error) => error.code))]).toEqual([...new Set(codes)]);
    expect(errors.filter((error) => !places.some((place) => fits(`${error.path}#${error.pointer}`, place)))).toEqual(
      [],
    );
    expect(result.workspace === null).toBe(codes.length > 0);
  },
);

test('a directory with artifacts and no workspace file is not found', async () => {
  const failed = await compileDirectory(`${root}vedanta-advisor-partial`, deps()).catch((error: unknown) => error);

  expect(isKitError(failed) && failed.code).toBe('KIT_WORKSPACE_NOT_FOUND');
});

test('an example whose commands name unset variables says which', async () => {
  const result = await compileDirectory(`${root}sterling-oms`, deps());

  const unresolved = result.diagnostics.filter(
    (diagnostic) => diagnostic.code === 'interpolation.unresolved' && diagnostic.severity === 'error',
  );
  expect(unresolved.map((diagnostic) => diagnostic.message)).toContain('nothing defines `STERLING_PROJECT_CODE_DIR`');
});
