import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

/**
 * `bin/kit.js` in a process that takes itself for another Node.js; `npm run nodes` has a real one.
 */
function startedBy(
  version: string,
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const script = `const own = { value: { ...process.versions, node: ${JSON.stringify(version)} } };
    Object.defineProperty(process, 'versions', own);
    Object.defineProperty(process, 'version', { value: 'v' + own.value.node });
    process.argv.splice(1, process.argv.length, 'kit', '--version');
    await import(${JSON.stringify(pathToFileURL(join(projectRoot, 'bin/kit.js')).href)});`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', script], (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

it.each(['20.20.2', '22.14.0', '18.0.0'])(
  'an older Node.js (%s) is told one line, and ends with 2',
  async (version) => {
    expect(await startedBy(version)).toEqual({
      code: 2,
      stdout: '',
      stderr: `kit needs Node.js 22.15 or newer; this is v${version}. In a checkout, use \`npx kit\`.\n`,
    });
  },
);

it.each(['22.15.0', '24.0.0'])('Node.js %s is new enough', async (version) => {
  expect(await startedBy(version)).toMatchObject({ code: 0, stdout: expect.stringContaining('@kit-run/kit/') });
});
