import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idleTopology, idleWorkspace } from '../support/http/idle-workspace.js';
import { projectRoot } from '../support/kit-process.js';
import { openConformanceProxy } from '../support/mcp/conformance-proxy.js';
import EXPECTED from '../support/mcp/expected-failures.json' with { type: 'json' };
import { openMcpServer } from '../support/mcp/server.js';
import { resultsIn } from '../support/mcp/suite-results.js';

/** The tools of the suite that a topology can be; their arguments are an object. */
const TOPOLOGIES: Readonly<Record<string, readonly unknown[]>> = {
  'test-simple-text': [{ text: 'This is a simple text response for testing.' }],
  'test-error-handling': [{ fail: { kind: 'bad_request', message: 'This tool intentionally returns an error' } }],
  'test-tool-with-progress': [{ text: 'done' }],
};

const files = idleWorkspace({
  files: Object.fromEntries(
    Object.entries(TOPOLOGIES).map(([name, script]) => [
      `topologies/${name}.yaml`,
      idleTopology(name, { options: { script }, input_schema: { type: 'object' } }),
    ]),
  ),
}) as Record<string, string>; // every file of it is text

const run = (suite: string, args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(projectRoot, 'node_modules', suite, 'dist/index.js'), ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });

const SUITES = [
  { revision: '2025-11-25', suite: '@modelcontextprotocol/conformance', expected: EXPECTED['2025-11-25'] },
  { revision: '2026-07-28', suite: 'conformance-next', expected: EXPECTED['2026-07-28'] },
] as const;

describe.each(SUITES)('the conformance suite of $revision', ({ revision, suite, expected }) => {
  it('is passed in every scenario but those whose reason stands in the list', { timeout: 300_000 }, async () => {
    const { url } = await openMcpServer(files);
    const proxy = await openConformanceProxy(url);
    const directory = await mkdtemp(join(tmpdir(), 'kit-conformance-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));

    const args = ['server', '--url', `${proxy}/mcp/`, '--suite', 'all', '--output-dir', directory];
    const said = await run(suite, [...args, '--spec-version', revision], directory);
    const results = await resultsIn(directory);

    const failed = Object.entries(results).flatMap(([name, checks]) => {
      const judged = checks.filter(({ status }) => status !== 'INFO' && status !== 'SKIPPED');
      const bad = judged.filter(({ status }) => status === 'FAILURE');
      // A scenario that checked nothing was not run.
      return judged.length === 0 || bad.length > 0 ? [name] : [];
    });
    const why = failed
      .filter((name) => !Object.hasOwn(expected, name))
      .flatMap((name) =>
        (results[name] ?? [])
          .filter(({ status }) => status === 'FAILURE')
          .map(({ id, errorMessage = '' }) => `${name}: ${id}: ${errorMessage.slice(0, 300)}`),
      );
    console.log(
      `MCP conformance ${revision}: ${Object.keys(results).length - failed.length} of ${Object.keys(results).length} scenarios pass`,
    );
    console.log(why.join('\n'));
    expect(Object.keys(results).length, said.slice(-2000)).toBeGreaterThan(20);
    expect(failed.toSorted(), said).toEqual(Object.keys(expected).toSorted());
  });
});
