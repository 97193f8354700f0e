import { describe, expect, it } from 'vitest';
import { agtWorld } from './agt-world.js';

const CEDAR = { policy_language: 'cedar' };

const READS = `// what only reads may be done by everybody
permit(principal, action, resource) when { context.effects == "read" };
permit(principal == Agent::"lead", action == Action::"command:call", resource == Command::"git:push");
forbid(principal, action, resource) when { context.trust < 50 };
`;

describe('Cedar policies', () => {
  it('allow what a policy permits, deny the rest, and name the policies that decided', async () => {
    const world = await agtWorld({ 'a.cedar': READS }, CEDAR);

    expect(await world.check()).toEqual([]);
    expect(await world.decide({ agentId: 'lead' })).toEqual({
      verdict: 'allow',
      policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await world.decide()).toMatchObject({ verdict: 'deny', reason: 'no policy permits command:call:git:push' });
    expect(await world.decide({ context: { effects: 'read', trust: 0.3 } })).toMatchObject({
      verdict: 'deny',
      reason: 'the policy policies/a.cedar#3 forbids it',
    });
  });

  it.each([
    {
      action: 'agent:execute',
      policy: 'permit(principal, action == Action::"agent:execute", resource == Agent::"writer");',
    },
    {
      action: 'skill:call:search',
      policy: 'permit(principal, action == Action::"skill:call", resource == Skill::"search");',
    },
    { action: 'mcp:call:files:read_file', policy: 'permit(principal, action, resource in Server::"files");' },
    { action: 'mcp:call:files:read_file', policy: 'permit(principal, action, resource == Tool::"files:read_file");' },
    { action: 'command:call:git:push', policy: 'permit(principal, action, resource is Command);' },
    { action: 'context:retrieve:r1', policy: 'permit(principal, action == Action::"context:retrieve", resource);' },
    { action: 'harness:approve:write', policy: 'permit(principal, action, resource == Capability::"write");' },
  ])('name $action by $policy', async ({ action, policy }) => {
    const world = await agtWorld({ 'a.cedar': policy }, CEDAR);

    expect(await world.check()).toEqual([]);
    expect(await world.decide({ action })).toMatchObject({ verdict: 'allow' });
    expect(await world.decide({ action: 'something:else' })).toMatchObject({ verdict: 'deny' });
  });

  it('are refused with file and line when one does not parse', async () => {
    const world = await agtWorld(
      { 'a.cedar': 'permit(principal, action, resource);\n\npermit(principal, action resource);\n' },
      CEDAR,
    );

    expect(await world.check()).toEqual([
      expect.objectContaining({
        code: 'policy.unparsable',
        path: 'policies/a.cedar',
        line: 3,
        message: expect.stringContaining('unexpected token `resource`'),
      }),
    ]);
    expect(await world.decide({ context: { effects: 'read' } })).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    { name: 'an agent', policy: 'forbid(principal == Agent::"wirter", action, resource);' },
    { name: 'a command', policy: 'forbid(principal, action, resource == Command::"git:psuh");' },
    { name: 'a server', policy: 'forbid(principal, action, resource in Server::"fils");' },
    { name: 'a type', policy: 'forbid(principal == Agnt::"writer", action, resource);' },
    { name: 'an action', policy: 'forbid(principal, action == Action::"tool:call", resource);' },
    { name: 'an attribute', policy: 'forbid(principal, action, resource) when { context.efects == "write" };' },
  ])('are refused when one names $name that the workspace does not have', async ({ policy }) => {
    const world = await agtWorld({ 'a.cedar': `permit(principal, action, resource);\n${policy}\n` }, CEDAR);

    expect(await world.check()).toEqual([
      expect.objectContaining({ code: 'policy.unknown-entity', path: 'policies/a.cedar', line: 2 }),
    ]);
    expect(await world.decide()).toMatchObject({ verdict: 'deny' });
  });

  it('deny when one fails while it is evaluated, although another permits', async () => {
    const world = await agtWorld(
      {
        'a.cedar':
          'permit(principal, action, resource);\nforbid(principal, action, resource) when { context.trust + 9223372036854775807 > 1 };\n',
      },
      CEDAR,
    );

    expect(await world.check()).toEqual([]);
    expect(await world.decide()).toMatchObject({
      verdict: 'deny',
      reason: 'the policy policies/a.cedar#2 failed while it was evaluated',
    });
  });

  it('that are changed decide from the next look on, and a broken change denies', async () => {
    const world = await agtWorld({ 'a.cedar': 'permit(principal, action, resource);' }, CEDAR);
    await world.check();
    const before = await world.decide();
    await world.write('a.cedar', 'forbid(principal, action, resource); // nobody');
    world.nowMs += 1001;
    const closed = await world.decide();
    await world.write('a.cedar', 'permit(principal, action, resource); // open again, with other bytes');
    world.nowMs += 1001;
    const open = await world.decide();
    await world.write('a.cedar', 'permit(');
    world.nowMs += 1001;

    expect(await world.decide()).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('policies/a.cedar'),
    });
    expect([before, closed, open].map(({ verdict }) => verdict)).toEqual(['allow', 'deny', 'allow']);
    expect(new Set([before, closed, open].map(({ policyDigest }) => policyDigest)).size).toBe(3);
  });
});
