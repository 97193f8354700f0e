import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { callOptions, familyProvider, good, request, textOf } from '../helpers.js';
import { bundledConfig, KEY, KEY_VARIABLE } from './family-cases.js';

const script = fileURLToPath(new URL('../../../support/components/provider-server.mjs', import.meta.url));

test('a person can start a server of each wire format, and reads what it is asked', async () => {
  const child = spawn(process.execPath, [script, 'anthropic'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  try {
    await expect.poll(() => out).toMatch(/^base_url: \S+$/m);
    const url = /^base_url: (\S+)$/m.exec(out)?.[1] ?? '';
    const provider = await familyProvider('anthropic', bundledConfig('anthropic', url), {
      env: { [KEY_VARIABLE]: KEY },
    });

    expect(textOf(good(await provider.generate(request(), callOptions())))).toBe(
      'the anthropic server was asked 1 times',
    );
    await expect.poll(() => out).toContain('POST /v1/messages {');
    expect(out).not.toContain(KEY);
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
});

test('a server of an unknown wire format is refused with the known ones', async () => {
  const child = spawn(process.execPath, [script, 'antropic'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');

  expect(code).toBe(2);
  expect(err).toContain('openai-compatible|openrouter|openai|anthropic|google|ollama');
});
