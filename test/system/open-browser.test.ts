import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loginPage, openBrowser, whoAnswers } from '../../src/system/open-browser.js';

const ELSEWHERE = ['file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'ms-settings:'];

it.each([...ELSEWHERE, 'http://10.0.0.1/authorize', 'https://ann:secret@login.example.org/', '--version', '; touch x'])(
  'the address %s is not a page of a login',
  (address) => {
    expect(() => loginPage(address)).toThrow(expect.objectContaining({ code: 'KIT_LOGIN_FAILED' }));
  },
);

it('a page of a login is https, or at this machine', () => {
  expect(loginPage('https://login.example.org/a?b=c').href).toBe('https://login.example.org/a?b=c');
  expect(loginPage('http://127.0.0.1:8000/').href).toBe('http://127.0.0.1:8000/');
});

it.each(ELSEWHERE)('the address %s starts nothing', async (address) => {
  const bin = mkdtempSync(join(tmpdir(), 'kit-browser-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const mark = join(bin, 'started');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > '${mark}'\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}` };

  expect(await openBrowser(new URL(address), { env, platform: 'linux' })).toBe(false);
  expect(existsSync(mark)).toBe(false);
});

it.each([
  ['{"status":"ok"}', 'kit'],
  ['{"state":"ok"}', 'other'],
  ['<!doctype html>', 'other'],
])('whoever answers /health with %s is: %s', async (body, who) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;

  expect(await whoAnswers(`http://127.0.0.1:${port}`)).toBe(who);
  expect(asked).toEqual(['/health']);
});

it('nobody answers where nothing listens', async () => {
  expect(await whoAnswers('http://127.0.0.1:1')).toBe('nobody');
});
