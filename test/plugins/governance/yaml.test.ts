import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agtWorld } from './agt-world.js';

const POLICY = `name: publishing
default_action: deny
rules:
  - name: reads
    condition: effects == 'read'
    action: allow
  - name: no-push
    condition: action == 'command:call:git:push' and role == 'worker'
    action: deny
  - name: lead-pushes
    condition: agent in ['lead', 'writer'] and trust >= 50
    action: require_approval
    approvers: [release-manager]
`;

describe('YAML policies', () => {
  it('decide by their rules; a denial overrides, and what no rule names is the default', async () => {
    const world = await agtWorld({ 'a.yaml': POLICY });

    expect(await world.check()).toEqual([]);
    expect(await world.decide()).toMatchObject({
      verdict: 'deny',
      reason: 'the rule no-push of the policy publishing refuses it',
      policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await world.decide({ action: 'skill:call:search', context: { effects: 'read', trust: 0.3 } })).toMatchObject(
      { verdict: 'allow' },
    );
    expect(await world.decide({ action: 'skill:call:publish' })).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('release-manager'),
      approvers: ['release-manager'],
    });
    expect(await world.decide({ agentId: 'other', action: 'skill:call:publish' })).toMatchObject({
      verdict: 'deny',
      reason: 'skill:call:publish: no rule of publishing allows it, and its default is deny',
    });
  });

  it('are checked with the agents that the configuration names: one that is not there would be suspended or distrusted in vain', async () => {
    const world = await agtWorld(
      { 'a.yaml': POLICY },
      { suspended: ['writr'], trust_scores: { lead: 0.5, leed: 0.1 } },
    );

    expect(await world.check()).toEqual([
      expect.objectContaining({
        code: 'policy.unknown-entity',
        path: 'workspace.yaml',
        message: '`suspended` names no agent of the workspace: `writr`',
      }),
      expect.objectContaining({
        code: 'policy.unknown-entity',
        path: 'workspace.yaml',
        message: '`trust_scores` names no agent of the workspace: `leed`',
      }),
    ]);
  });

  it('that went away deny and say so, without a path of this machine', async () => {
    const world = await agtWorld({ 'a.yaml': POLICY });
    await world.check();
    await rm(join(world.workspace.root, 'policies'), { recursive: true });
    world.nowMs += 2_000;

    const reason = 'the policies cannot be used: ./policies: the policies cannot be read: there is no such directory';
    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason });
    expect(JSON.stringify(await world.check())).not.toContain(world.workspace.root);
  });

  it('that are not YAML are told once a line', async () => {
    const world = await agtWorld({ 'a.yaml': 'rules: [ {{{' });

    expect(await world.check()).toMatchObject([{ code: 'policy.unparsable', line: 1 }]);
  });

  it('allow by default only when every policy for the agent does', async () => {
    const open = 'name: open\ndefault_action: allow\nrules: []\n';
    const world = await agtWorld({ 'a.yaml': open, 'b.yaml': 'name: closed\nagents: [lead]\nrules: []\n' });

    expect(await world.check()).toEqual([]);
    expect(await world.decide()).toMatchObject({ verdict: 'allow' });
    expect(await world.decide({ agentId: 'lead' })).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    { name: 'is not YAML', text: 'name: a\nrules: [\n', line: 3, says: 'not YAML' },
    { name: 'is not a map', text: '- a\n', line: 1, says: 'not a map' },
    { name: 'has no name', text: 'rules: []\n', line: 1, says: 'no `name`' },
    { name: 'has no rules', text: 'name: a\n', line: null, says: 'no list of `rules`' },
    {
      name: 'has an unknown key',
      text: 'name: a\nrules: []\ndefault: allow\n',
      line: 3,
      says: '`default` is not known',
    },
    {
      name: 'has a rule without an action',
      text: 'name: a\nrules:\n  - name: r\n',
      line: 3,
      says: 'needs one `action`',
    },
    {
      name: 'has an unknown action',
      text: 'name: a\nrules:\n  - action: permit\n',
      line: 3,
      says: 'needs one `action`',
    },
    {
      name: 'has a condition of no known form',
      text: "name: a\nrules:\n  - action: deny\n    condition: effects = 'read'\n",
      line: 4,
      says: 'none that is known',
    },
    {
      name: 'has a condition on a misspelt name',
      text: "name: a\nrules:\n  - action: deny\n    condition: efects == 'read'\n",
      line: 4,
      says: '`efects`',
    },
    {
      name: 'counts by itself',
      text: 'name: a\nrules:\n  - action: deny\n    limit: 3/hour\n',
      line: 4,
      says: 'forgets',
    },
  ])('are refused with their line when one $name', async ({ text, line, says }) => {
    const world = await agtWorld({ 'a.yaml': text });

    expect(await world.check()).toEqual([
      expect.objectContaining({
        code: 'policy.unparsable',
        path: 'policies/a.yaml',
        line,
        message: expect.stringContaining(says),
      }),
    ]);
    expect(await world.decide()).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    { condition: `role == 'the "chief" editor'`, says: 'none that is known' },
    { condition: `role in ['editor, chief', 'worker']`, says: 'none that is known' },
    { condition: `role not in ['a]b']`, says: 'none that is known' },
    { condition: `permission in ['', 'open']`, says: 'none that is known' },
    { condition: `scopes_required == 'repo:write'`, says: 'which is a list' },
    { condition: `base_scope in ['repo:write']`, says: 'which is a list' },
    { condition: 'role >= 5', says: 'never holds' },
    { condition: `trust == '50'`, says: 'never holds' },
    { condition: 'trust == true', says: 'none that is known' },
    { condition: `constructor == 'x'`, says: 'known are' },
  ])('never hold a denial that the engine would silently take for false: $condition', async ({ condition, says }) => {
    const world = await agtWorld({
      'a.yaml': JSON.stringify({ name: 'a', default_action: 'allow', rules: [{ action: 'deny', condition }] }),
    });

    expect(await world.check()).toEqual([
      expect.objectContaining({ code: 'policy.unparsable', message: expect.stringContaining(says) }),
    ]);
    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('cannot be used') });
  });

  it('are refused when one is for an agent that the workspace does not have, or two carry one name', async () => {
    const world = await agtWorld({
      'a.yaml': 'name: a\nagents: [wirter]\nrules: []\n',
      'b.yaml': 'name: a\nrules: []\n',
    });

    expect((await world.check()).map(({ code, path }) => [code, path])).toEqual([
      ['policy.unparsable', 'policies/b.yaml'],
      ['policy.unknown-entity', 'policies/a.yaml'],
    ]);
  });

  it('that are not UTF-8, or are not there, are named', async () => {
    const bytes = await agtWorld({ 'a.yaml': new Uint8Array([0x6e, 0xff, 0xfe]) });
    const none = await agtWorld({ 'a.cedar': 'permit(principal, action, resource);' });

    expect(await bytes.check()).toMatchObject([{ code: 'policy.unparsable', message: 'the policy is not UTF-8 text' }]);
    expect(await none.check()).toMatchObject([{ code: 'policy.missing', path: './policies' }]);
    expect(await none.decide()).toMatchObject({ verdict: 'deny' });
  });

  it('are files: a link to a device without end is named, and read by nobody', async () => {
    const world = await agtWorld({});
    await symlink('/dev/zero', join(world.workspace.root, 'policies', 'a.yaml'));

    expect(await world.check()).toMatchObject([
      { code: 'policy.missing', message: expect.stringContaining('policies/a.yaml is not a file') },
    ]);
    expect(await world.decide()).toMatchObject({ verdict: 'deny' });
  });

  it('are read by nobody before the workspace is known, and deny until then', async () => {
    const world = await agtWorld({ 'a.yaml': 'name: a\ndefault_action: allow\nrules: []\n' });

    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('not read yet') });
  });
});

describe('identities and trust', () => {
  const OPEN = { 'a.yaml': 'name: a\ndefault_action: allow\nrules: []\n' };

  it('a suspended agent is denied whatever the policies say', async () => {
    const world = await agtWorld(OPEN, { suspended: ['writer'] });
    await world.check();

    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: 'the agent writer is suspended' });
    expect(await world.decide({ agentId: 'lead' })).toMatchObject({ verdict: 'allow' });
  });

  it('an identity carries the scopes that the agent holds, and no wildcard', async () => {
    const world = await agtWorld(OPEN);
    await world.check();
    const asked = (held: readonly string[]) =>
      world.decide({ scopesRequired: ['repo:write'], context: { base_scope: [...held] } });

    expect(await asked(['repo:write'])).toMatchObject({ verdict: 'allow' });
    expect(await asked(['repo:*', '*'])).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('repo:write'),
    });
  });

  it('a trust score halves in its half-life, and nothing is said of an agent that is not listed', async () => {
    const world = await agtWorld(OPEN, {
      trust_scores: { writer: { score: 0.8, as_of: '2025-12-30T00:00:00Z' }, lead: 0.5 },
      trust_decay_half_life_hours: 24,
    });
    const scores = ['writer', 'lead', 'other'].map((agent) =>
      world.provider.trustScore?.(agent, new AbortController().signal),
    );

    expect(await Promise.all(scores)).toEqual([0.2, 0.5, null]);
  });
});
