import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeStale } from '../../scripts/lib/remove-stale.mjs';

const root = mkdtempSync(join(tmpdir(), 'kit-stale-'));
afterAll(() => rmSync(root, { recursive: true }));

const KEPT = [
  'src/cli/here.ts',
  'src/ui/screen.tsx',
  'dist/cli/here.d.ts',
  'dist/cli/here.js',
  'dist/ui/screen.d.ts',
  'dist/ui/screen.js',
  // Of the other steps of a build, or of a person.
  'dist/catalogue.json',
  'dist/program/boot/main.js',
  'dist/host/folded-entry.js',
  'plugins/run/src/commands/run.ts',
  'plugins/run/dist/commands/run.d.ts',
  'plugins/run/dist/commands/run.js',
  'plugins/other/dist/gone.d.ts',
];
const STALE = [
  'dist/cli/gone.d.ts',
  'dist/cli/gone.js',
  'dist/gone-process.cjs',
  'dist/gone-process.d.ts',
  'dist/gone-process.js',
  'plugins/run/dist/commands/gone.d.ts',
  'plugins/run/dist/commands/gone.js',
];

it('removes what was compiled of sources that are gone, and nothing else', async () => {
  for (const path of [...KEPT, ...STALE]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  await removeStale(root, ['.', 'plugins/run', 'plugins/not-built']);
  expect(globSync('**/*.*', { cwd: root }).toSorted()).toEqual(KEPT.toSorted());
});
