import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foldedProgram } from '../../support/folded-program.mjs';
import { projectRoot } from '../../support/kit-process.js';

/** The suite is asked for its scenarios before there is a test. */
const directory = mkdtempSync(join(tmpdir(), 'kit-mcp-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const SUITE = join(projectRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = [process.execPath, '--no-warnings', await foldedProgram('test/support/mcp-conformance-process.ts')];

function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SUITE, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, text }));
  });
}

const listed = (await run(['list', '--client'])).text;
const scenarios = [...listed.matchAll(/^ {2}- (\S+)/gm)]
  .map((found) => found[1] ?? '')
  .filter((name) => !name.startsWith('auth/'));

describe('the official conformance suite of MCP', () => {
  it('has these scenarios for a client, besides those on authorisation', () => {
    expect(scenarios).toEqual(['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry']);
  });

  it.each(scenarios)('is passed in %s', async (scenario) => {
    const { code, text } = await run([
      'client',
      '--command',
      CLIENT.join(' '),
      '--scenario',
      scenario,
      '--timeout',
      '25000',
    ]);

    expect(text).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    expect(code).toBe(0);
  });
});
