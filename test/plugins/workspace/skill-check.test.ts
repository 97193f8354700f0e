import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

/** Speaks MCP over stdio and has two tools. */
const READY = `import { createInterface } from 'node:readline';
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'commits', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: ['list_commits', 'list_tags'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params);
  if (result !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}
`;

let home: KitHome;
let dir: string;
beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-check-'));
  await writeFile(join(dir, 'ready.mjs'), READY);
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

async function check(program: string): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const entry = `{ id: commits, transport: stdio, command: [${JSON.stringify(process.execPath)}, ${program}] }`;
  const head = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n';
  await writeFile(join(dir, 'workspace.yaml'), `${head}mcp_servers:\n  - ${entry}\n`);
  return runKitHere(['skill', 'check'], { cwd: dir, env: home.env });
}

test('kit skill check lists the tools of a server before a skill calls one of them', async () => {
  const { code, stdout } = await check('ready.mjs');

  expect(code).toBe(0);
  expect(stdout).toBe('no skill of the workspace calls a tool\ntools of commits: list_commits, list_tags\n');
});

test('kit skill check says why a server ended, without the frames of its stack', async () => {
  const { code, stdout } = await check('gone.mjs');

  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED {3}commits: .*it wrote: .*Cannot find module/m);
  expect(stdout).not.toContain('at Module');
});
