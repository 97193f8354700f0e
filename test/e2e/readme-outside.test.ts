import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANTHROPIC } from '../support/components/provider-servers/anthropic.js';
import { type ProviderServer, startProviderServer } from '../support/components/provider-servers/server.js';
import { makeReader, type Reader, type Shell, shellLines } from './reader.js';

/** Lines of pages that need somebody outside: a model with a key, and programs that take tools. */
let reader: Reader;
let model: ProviderServer;
beforeAll(async () => {
  [reader, model] = await Promise.all([
    makeReader(),
    startProviderServer(ANTHROPIC, { do: 'answer', text: 'Hello Ada, from the model.' }),
  ]);
});
afterAll(async () => {
  await model?.close();
  await reader?.dispose();
});

async function inWorkspace(name: string): Promise<Shell> {
  const shell = { cwd: reader.world.base, run: '' };
  const made = await reader.type(shell, `kit init ${name} --template hello --yes && cd ${name}`);
  expect(made.code, made.output).toBe(0);
  return shell;
}

describe('lines with the key of a model', () => {
  // The one thing that a reader does not type: whoever answers at the address of the provider.
  const provider = (url: string): string =>
    [
      'apiVersion: kit/v1',
      'kind: ModelProvider',
      'metadata: { id: anthropic, name: anthropic, description: The server of this test. }',
      `spec: { extends: anthropic, base_url: ${JSON.stringify(url)} }`,
      'provenance: { authored_by: human, version: 1.0.0 }',
      '',
    ].join('\n');

  it.each([
    ['README.md', 'hello'],
    ['docs/tutorials/first-topology.md', 'triage'],
  ])('of %s run the topology with it', async (page, topology) => {
    const shell = await inWorkspace(`key-${topology}`);
    mkdirSync(join(shell.cwd, 'providers'));
    writeFileSync(join(shell.cwd, 'providers', 'anthropic.yaml'), provider(model.url));
    if (topology !== 'hello') await reader.type(shell, `kit new topology ${topology} --agents reader`);
    const before = model.requests.length;

    const lines = shellLines(page, 'export ANTHROPIC_API_KEY');
    // A `...` stands for the key.
    const { code, output } = await reader.type(shell, lines.join('\n').replace('=...', '=sk-ant-of-a-reader'));

    expect(code, output).toBe(0);
    expect(output).toContain('Hello Ada, from the model.');
    expect(model.problems).toEqual([]);
    const asked = model.requests.slice(before);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ headers }) => headers['x-api-key'] === 'sk-ant-of-a-reader')).toBe(true);
    expect(asked.map(({ body }) => body.model)).toEqual(asked.map(() => 'claude-haiku-4-5'));
  });
});

describe('the lines that give kit to an editor or a coding agent', () => {
  /** In place of each program: what it was asked to add, as it was typed. */
  const REMEMBERS = '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.added"\n';

  /** The command line that a program would start. */
  function added(name: string, folder: string): readonly string[] {
    const words = readFileSync(join(reader.bin, `${name}.added`), 'utf8')
      .trimEnd()
      .split('\n');
    if (name !== 'code') return words.slice(words.indexOf('--') + 1);
    const { command, args } = JSON.parse(words[1] ?? '') as {
      readonly command: string;
      readonly args: readonly string[];
    };
    return [command, ...args.map((arg) => arg.replace('${workspaceFolder}', folder))];
  }

  /** What a client of MCP is told by a server that it starts. */
  async function tools([command = '', ...args]: readonly string[], cwd: string): Promise<readonly string[]> {
    const started = promisify(execFile)(command, args, { cwd, env: reader.env });
    const says = (message: object) => started.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answered = new Promise<readonly string[]>((resolve) => {
      let text = '';
      started.child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        for (const line of text.split('\n').slice(0, -1)) {
          const { id, result } = JSON.parse(line) as {
            readonly id?: number;
            readonly result?: { readonly tools?: readonly { readonly name: string }[] };
          };
          if (id === 2) resolve((result?.tools ?? []).map(({ name }) => name));
        }
      });
    });
    says({ id: 1, method: 'initialize', params: client });
    says({ method: 'notifications/initialized' });
    says({ id: 2, method: 'tools/list' });
    const named = await Promise.race([answered, started.then(({ stderr }) => [`ended: ${stderr}`])]);
    started.child.stdin?.end();
    await started;
    return named;
  }

  it.each(['claude', 'codex', 'code'])('%s gets a server that has the topologies', async (name) => {
    const shell = await inWorkspace(`tools-${name}`);
    const line = shellLines('README.md', 'claude mcp add').find((one) => one.startsWith(`${name} `)) ?? '';
    writeFileSync(join(reader.bin, name), REMEMBERS, { mode: 0o755 });

    const { code, output } = await reader.type(shell, line);

    expect(code, output).toBe(0);
    const [command, ...args] = added(name, shell.cwd);
    expect([command, ...args]).toEqual(['kit', 'mcp', 'serve', shell.cwd]);
    expect(await tools([join(reader.bin, 'kit'), ...args], reader.world.base)).toContain('run_hello');
  });
});
