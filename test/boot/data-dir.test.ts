import { Config } from '@oclif/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dataDirOf } from '../../src/boot/discovery/plugins.js';
import { projectRoot } from '../support/kit-process.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the data directory', () => {
  it.each([
    ['KIT_DATA_DIR', { KIT_DATA_DIR: '/tmp/a', XDG_DATA_HOME: '/tmp/b', HOME: '/tmp/c' }],
    ['XDG_DATA_HOME', { KIT_DATA_DIR: '', XDG_DATA_HOME: '/tmp/b', HOME: '/tmp/c' }],
    ['HOME', { KIT_DATA_DIR: '', XDG_DATA_HOME: '', HOME: '/tmp/c' }],
  ])('is the one that oclif computes from %s', async (_name, env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);

    const config = await Config.load({ root: projectRoot, userPlugins: false });

    expect(dataDirOf(env)).toBe(config.dataDir);
  });
});
