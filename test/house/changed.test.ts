import { describe, expect, it } from 'vitest';
import { reachOf } from '../../scripts/lib/changed-files.mjs';

const MODULES = {
  'src/engine/run.ts': "import { x } from './x.js';",
  'src/compile/generated/validators.ts': '',
  'src/lib/generated/known-validators.ts': '',
  'src/app/init.ts': "join(packageRoot, 'templates')",
  'src/app/explain.ts': "join(packageRoot, 'docs', `${code}.md`)",
  'test/support/kit-process.ts': "join(projectRoot, 'bin', 'kit.js')",
  'test/support/crash-case.ts': "path('./processes-typescript.mjs')",
  'test/engine/run.test.ts': "import '../../src/engine/run.js';",
  'test/app/fixtures.test.ts': "new URL('../fixtures/workspaces/', import.meta.url)",
  'test/lib/paths.test.ts': "['docs/a.md', 'templates.txt', 'my-templates']",
  'test/plugins/mock.test.ts': "readJson('schemas/mock.json')",
  'test/house/errors.test.ts': '',
};
const beside = (...changed: readonly string[]): readonly string[] =>
  reachOf(changed, MODULES).filter((path: string) => !changed.includes(path));

const HOUSE = ['test/house/errors.test.ts'];
const VALIDATORS = 'src/lib/generated/known-validators.ts';
const STARTERS = ['test/support/kit-process.ts', 'test/support/crash-case.ts'];

describe('what a change reaches without an import', () => {
  it.each([
    ['a source', 'src/engine/run.ts', STARTERS],
    ['a source of a plugin', 'plugins/run/src/commands/run.ts', STARTERS],
    ['the program', 'bin/kit.js', STARTERS],
    [
      'a schema',
      'schemas/kinds/workspace.schema.json',
      [...STARTERS, 'src/compile/generated/validators.ts', VALIDATORS],
    ],
    ['a template', 'templates/hello/workspace.yaml', [...STARTERS, 'src/app/init.ts']],
    [
      'a schema of a plugin',
      'plugins/models/schemas/mock.json',
      [...STARTERS, 'test/plugins/mock.test.ts', VALIDATORS],
    ],
    ['a page', 'docs/diagnostics/tool.unknown.md', ['src/app/explain.ts']],
    ['a fixture', 'test/fixtures/workspaces/one/workspace.yaml', ['test/app/fixtures.test.ts']],
    ['a test', 'test/engine/run.test.ts', []],
  ])('%s: the tests of the house, and %s: %j', (_, changed, reached) => {
    expect([...beside(changed)].sort()).toEqual([...HOUSE, ...reached].sort());
  });

  it('is nothing where nothing changed', () => {
    expect(reachOf([], MODULES)).toEqual([]);
  });
});
