import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../../src/system/open-browser.js';

it.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://10.0.0.1/authorize',
  'ms-settings:',
  '--version',
  '; touch x',
])('the address %s starts nothing', async (address) => {
  const bin = mkdtempSync(join(tmpdir(), 'kit-browser-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const mark = join(bin, 'started');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > '${mark}'\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);

  const opened = openBrowser(address, { env: { PATH: `${bin}:${process.env.PATH ?? ''}` }, platform: 'linux' });

  await expect(opened).rejects.toMatchObject({ code: 'KIT_LOGIN_FAILED' });
  expect(existsSync(mark)).toBe(false);
});
