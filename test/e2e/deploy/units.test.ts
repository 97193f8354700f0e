import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENV_REGISTRY } from '../../../src/domain/env.js';
import { at, textOf, yamlOf } from './files.js';

const UNITS = ['kit-serve.service', 'kit-worker@.service'] as const;
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** Values of a key of a unit, in order; a key may stand in it more than once. */
const valuesOf = (unit: string, key: string): readonly string[] =>
  textOf(`systemd/${unit}`)
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));

const variablesOf = (unit: string): Readonly<Record<string, string>> =>
  Object.fromEntries(valuesOf(unit, 'Environment').map((pair) => pair.split('=') as [string, string]));

describe.each(UNITS)('the unit %s of the template deploy', (unit) => {
  it.skipIf(!hasSystemd)('is one by systemd itself, without a word that it passes over', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kit-units-'));
    const verify = (text: string) => {
      // kit need not be installed where this is tested.
      const path = join(directory, unit.replace('@', '@1'));
      writeFileSync(path, text);
      return spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    };
    try {
      expect(verify(textOf(`systemd/${unit}`))).toMatchObject({ status: 0, stderr: '' });
      expect(verify(textOf(`systemd/${unit}`).replace('KillMode', 'KilMode')).stderr).toContain('KilMode');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('gives running runs more time to end than server.jobs.shutdown_seconds, and signals kit alone', () => {
    const shutdownSeconds = Number(at(yamlOf('workspace.yaml'), 'server.jobs.shutdown_seconds'));

    expect(Number(valuesOf(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(shutdownSeconds);
    expect(valuesOf(unit, 'KillMode')).toEqual(['mixed']);
  });

  it('tries a start again that was refused because the database was not up', () => {
    expect([valuesOf(unit, 'Restart'), valuesOf(unit, 'StartLimitIntervalSec')]).toEqual([['on-failure'], ['0']]);
  });

  it('writes to directories that systemd makes for it, and to no other', () => {
    const made = (valuesOf(unit, 'StateDirectory')[0] ?? '').split(' ').map((name) => `/var/lib/${name}`);
    const { KIT_STATE_DIR = '', KIT_WORKTREES_DIR = '' } = variablesOf(unit);

    expect(valuesOf(unit, 'ProtectSystem')).toEqual(['strict']);
    expect(made).toContain(KIT_STATE_DIR);
    expect(made.some((directory) => KIT_WORKTREES_DIR.startsWith(`${directory}/`))).toBe(true);
  });

  it('sets variables that kit knows', () => {
    const known = new Set(ENV_REGISTRY.map(({ name }) => name));

    expect(Object.keys(variablesOf(unit)).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the variables that the units read', () => {
  it('lie in one file, which holds no secret and names every key of the workspace', () => {
    const example = textOf('systemd/kit.env.example');
    const keys = [...textOf('workspace.yaml').matchAll(/env:(\w+)|\$\{(\w+)\}/g)].map((match) => match[1] ?? match[2]);

    expect(UNITS.flatMap((unit) => valuesOf(unit, 'EnvironmentFile'))).toEqual([
      '/etc/kit/kit.env',
      '/etc/kit/kit.env',
    ]);
    for (const key of keys) expect(example).toContain(`\n${key}=\n`);
  });
});
