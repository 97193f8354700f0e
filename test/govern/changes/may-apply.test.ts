import { describe, expect, it } from 'vitest';
import type { AgentChange, SignedChange } from '../../../src/domain/changes.js';
import type { GateRound } from '../../../src/domain/gates.js';
import { heldPath, leadsOut } from '../../../src/govern/changes/control-files.js';
import { type ApplyQuestion, applyRefusals } from '../../../src/govern/changes/may-apply.js';

const signed = (over: Partial<SignedChange> = {}): SignedChange => ({
  gateId: 'r1:builder',
  round: 0,
  status: 'approved',
  by: ['ann'],
  artifactSha256: 'a',
  isSame: true,
  ...over,
});
const change = (over: Partial<AgentChange> = {}): AgentChange => ({
  agentId: 'builder',
  activation: 'root/c0:builder',
  diff: 'x',
  sha256: 'x',
  files: [],
  state: 'whole',
  reason: null,
  baseCommit: null,
  signed: null,
  ...over,
});
const gate = (status: GateRound['status'], over: Partial<GateRound> = {}): GateRound =>
  ({ gateId: 'r1:builder', round: 0, status, withdrawn: false, ...over }) as GateRound;
const ask = (over: Partial<ApplyQuestion> & { readonly gates?: readonly GateRound[] } = {}): readonly string[] =>
  applyRefusals({
    job: { id: 'r1', status: 'completed', reason: null, ungated: [] },
    changes: [change()],
    gated: new Set(),
    state: { gates: over.gates ?? [], items: [] },
    partial: false,
    ...over,
  });

describe('what is applied', () => {
  it.each([
    ['a completed run without a gate', {}],
    [
      'what a gate let through that nobody could enforce',
      {
        gated: new Set(['builder']),
        job: { id: 'r1', status: 'completed' as const, reason: null, ungated: ['r1:builder'] },
      },
    ],
    ['nothing that was to be signed', { gated: new Set(['builder']), changes: [change({ diff: '' })] }],
    ['what people approved', { gates: [gate('approved')], changes: [change({ signed: signed() })] }],
    [
      'what people approved in a later round',
      { gates: [gate('changes-requested'), gate('approved', { round: 1 })], changes: [change({ signed: signed() })] },
    ],
  ])('%s', (_what, question) => {
    expect(ask(question)).toEqual([]);
  });

  it.each([
    ['a gate that was rejected', { gates: [gate('rejected')] }, 'gate r1:builder was rejected'],
    ['a gate that is open', { gates: [gate('pending')] }, 'gate r1:builder is open'],
    ['changes that were asked for', { gates: [gate('changes-requested')] }, 'gate r1:builder is open'],
    [
      'a gate that closed unasked',
      { gates: [gate('pending', { withdrawn: true })] },
      'gate r1:builder closed without a decision',
    ],
    [
      'other bytes than were signed',
      { gates: [gate('approved')], changes: [change({ signed: signed({ isSame: false }) })] },
      'what was signed at gate r1:builder is not what the journal holds of agent builder',
    ],
    [
      'what nobody was asked about',
      { changes: [change({ state: 'ungoverned', reason: 'executor.ungoverned' })] },
      'agent builder did what nobody was asked about (executor.ungoverned)',
    ],
    [
      'a change that was sent back, beside one of the same agent that was approved',
      {
        gates: [gate('changes-requested', { activation: 'a' }), gate('approved', { round: 1, activation: 'b' })],
        changes: [
          change({ activation: 'a', signed: signed({ status: 'open' }) }),
          change({ signed: signed({ round: 1 }) }),
        ],
      },
      'round 0 of gate r1:builder was not approved',
    ],
    [
      'a run that goes on',
      { job: { id: 'r1', status: 'running', reason: null, ungated: [] } },
      'run r1 is still running',
    ],
    [
      'a run that waits',
      { job: { id: 'r1', status: 'deferred', reason: null, ungated: [] } },
      'run r1 waits for people',
    ],
  ] as const)('not: %s, whatever flag is given', (_what, question, refusal) => {
    expect(ask(question)).toEqual([refusal]);
    expect(ask({ ...question, partial: true })).toEqual([refusal]);
  });

  it.each([
    [
      'a session that did not end',
      { changes: [change({ state: 'partial', reason: 'executor.max_turns' })] },
      'the change of agent builder is partial (executor.max_turns): --partial takes it',
    ],
    [
      'a change that was to be signed, and never came to its gate',
      { gated: new Set(['builder']) },
      'nobody was asked about the change of agent builder: --partial takes it',
    ],
    [
      'a failed run',
      { job: { id: 'r1', status: 'failed', reason: 'timeout', ungated: [] } },
      'run r1 failed (timeout): --partial takes what it came to',
    ],
    [
      'a stopped run',
      { job: { id: 'r1', status: 'stopped', reason: null, ungated: [] } },
      'run r1 was stopped: --partial takes what it came to',
    ],
  ] as const)('with --partial alone: %s', (_what, question, refusal) => {
    expect(ask(question)).toEqual([refusal]);
    expect(ask({ ...question, partial: true })).toEqual([]);
  });
});

describe('paths that need --force', () => {
  it.each([
    '.git/hooks/pre-commit',
    '.GIT/config',
    'vendor/.git',
    '.kit/store.sqlite',
    'team/.kit-mcp.json',
    '.claude/settings.json',
    'packages/a/.claude/settings.local.json',
    '.mcp.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    'opencode.json',
    '.vscode/tasks.json',
    '.husky/pre-commit',
    '.gitmodules',
  ])('%s', (path) => {
    expect(heldPath(path)).not.toBeNull();
  });

  it.each(['src/git.ts', 'claude/settings.json', 'docs/.mcp.json.md', '.gitignore', 'CLAUDE.md', 'a/kit/b'])(
    'not %s',
    (path) => {
      expect(heldPath(path)).toBeNull();
    },
  );

  it.each([
    ['a/link', '../b', false],
    ['a/link', './b/../../c', false],
    ['a/link', '../../b', true],
    ['link', '../b', true],
    ['link', '/etc', true],
    ['link', 'C:\\x', true],
  ])('a link %s to %s leads out: %s', (path, target, out) => {
    expect(leadsOut(path, target)).toBe(out);
  });
});
