import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

const LONGEST_MS = 1_800_000;

it('the coverage of each room is at its floor', { timeout: LONGEST_MS }, async () => {
  const child = spawn(process.execPath, [join(projectRoot, 'scripts/coverage.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);

  console.log(out);
  expect({ code, faults: errors.split('\n').filter((line) => line.startsWith('FAIL ')) }).toEqual({
    code: 0,
    faults: [],
  });
});
