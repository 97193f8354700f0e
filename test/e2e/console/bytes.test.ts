import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { projectRoot } from '../../support/kit-process.js';

it('the console loads at most 200 kB at first, and 1.2 MB in all', async () => {
  const folder = join(projectRoot, 'plugins/console/dist/web');
  const files = readdirSync(join(folder, 'assets')).map((name) => readFileSync(join(folder, 'assets', name)));
  const first = [...readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/\/console\/(assets\/[^"]+)/g)];

  const packed = first.reduce((sum, [, path = '']) => sum + gzipSync(readFileSync(join(folder, path))).length, 0);
  expect(packed).toBeGreaterThan(20_000);
  expect(packed).toBeLessThan(200_000);
  expect(files.reduce((sum, bytes) => sum + bytes.length, 0)).toBeLessThan(1_200_000);
});
