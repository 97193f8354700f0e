import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { livenessOf, processStartOf, readWorkerHost } from '../../src/system/worker-host.js';

it('names this process the same way each time', () => {
  const host = readWorkerHost();

  expect(host).toEqual(readWorkerHost());
  expect(host).toMatchObject({ hostname: hostname(), pid: process.pid });
  expect(host.bootId).not.toBe('unknown');
  expect(host.processStart).toBe(processStartOf(process.pid));
});

it('tells a living process, a dead one and one whose pid was given away apart', async () => {
  const here = readWorkerHost();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? -1;
  const owner = { ...here, pid, processStart: processStartOf(pid) ?? '' };

  expect(livenessOf(owner, here)).toBe('alive');
  expect(livenessOf({ ...owner, processStart: '1' }, here)).toBe('dead');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(livenessOf(owner, here)).toBe('dead');
  expect(processStartOf(pid)).toBeNull();
});

it('claims to know nothing of processes of another host or boot', () => {
  const here = readWorkerHost();

  expect(livenessOf({ ...here, hostname: 'elsewhere' }, here)).toBe('elsewhere');
  expect(livenessOf({ ...here, bootId: 'earlier' }, here)).toBe('elsewhere');
});
