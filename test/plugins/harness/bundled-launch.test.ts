import { describe, expect, it } from 'vitest';
import { planLaunch } from '../../../plugins/harness/src/launch/plan.js';
import type { ExecutorRequest } from '../../../src/sdk/plugin.js';
import { adapterOf, bundledSpec } from './replay.js';

const LONG = `fix it ${'x'.repeat(200 * 1024)}`;

function planned(id: string, over: Partial<ExecutorRequest> = {}) {
  const request = {
    agentId: 'coder',
    statement: LONG,
    config: {},
    adapter: null,
    sandboxRoot: '/w',
    baseCommit: null,
    resumeToken: null,
    stepId: 's',
    budget: { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 1 },
    ...over,
  };
  const facts = {
    node: 'node',
    sandboxRoot: '/w',
    pluginRoot: '/p',
    env: {},
    credential: null,
    gateSettings: '',
    gateHook: '',
    tools: null,
  };
  const plan = planLaunch(adapterOf(bundledSpec(id)), request, facts);
  if (!plan.ok) throw new Error(plan.message);
  return plan.plan;
}

describe.each(['claude-code', 'codex', 'gemini-cli', 'opencode'])('%s', (id) => {
  it('gets its task on stdin, however long: no list of processes shows it', () => {
    const { argv, stdin } = planned(id);

    expect(stdin).toBe(LONG);
    expect(argv.join(' ')).not.toContain('fix it');
  });

  it('gets the session that it goes on with, and what it is told then', () => {
    const { argv, stdin } = planned(id, { resumeToken: 'session-1', statement: 'go on' });

    expect(argv).toContain('session-1');
    expect(stdin).toBe('go on');
  });
});

it('codex writes into no folder for temporary files, where the worktrees of others lie', () => {
  const line = planned('codex').argv.join(' ');

  expect(line).toContain('-s workspace-write');
  expect(line).toContain('-c sandbox_workspace_write.exclude_slash_tmp=true');
  expect(line).toContain('-c sandbox_workspace_write.exclude_tmpdir_env_var=true');
  expect(planned('codex', { resumeToken: 't' }).argv.slice(-4)).toEqual(['resume', '--json', 't', '-']);
});
