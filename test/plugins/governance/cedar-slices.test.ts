import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cedarSet } from '../../../plugins/governance/src/cedar/decide.js';
import { scopeOf } from '../../../plugins/governance/src/cedar/scope.js';
import { createSlices, type Slices } from '../../../plugins/governance/src/cedar/slices.js';
import { factsOf } from '../../../plugins/governance/src/facts.js';

/** As the plugin has it. */
const fromPlugin = createRequire(new URL('../../../plugins/governance/package.json', import.meta.url));
const cedar: Parameters<typeof createSlices>[0] = fromPlugin('@cedar-policy/cedar-wasm/nodejs');

const signal = new AbortController().signal;
const jsonOf = (text: string) => {
  const answer = cedar.policyToJson(text);
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  return answer.json;
};

const PRINCIPALS = [
  'principal',
  'principal == Agent::"a"',
  'principal == Agent::"b"',
  'principal in Agent::"a"',
  'principal is Agent',
];
const ACTIONS = [
  'action',
  'action == Action::"command:call"',
  'action in Action::"skill:call"',
  'action in [Action::"mcp:call", Action::"command:call"]',
  'action in []',
];
const RESOURCES = ['resource', 'resource in Server::"files"', 'resource is Command', 'resource == Skill::"x"'];
const CONDITIONS = [
  '',
  'when { context.effects == "read" }',
  'when { context has role && context.role == "lead" }',
  'when { context has "ro\\u{6c}e" && context["ro\\u{6c}e"] == "lead" }',
  'when { context.base_scope.contains("a:b") } unless { context.trust > 50 }',
  'when { {"Var": context}.Var.permission == "strict" }',
  'when { (if context.trust > 10 then context else {role: "x"}) has skill }',
  'when { context.trust + 9223372036854775807 > 1 }',
  'unless { context.scopes_required.isEmpty() }',
];

const policy = fc
  .record({
    effect: fc.constantFrom('permit', 'forbid'),
    principal: fc.constantFrom(...PRINCIPALS),
    action: fc.constantFrom(...ACTIONS),
    resource: fc.constantFrom(...RESOURCES),
    condition: fc.constantFrom(...CONDITIONS),
  })
  .map(
    ({ effect, principal, action, resource, condition }) =>
      `${effect}(${principal}, ${action}, ${resource}) ${condition};`,
  );

const request = fc.record({
  agentId: fc.constantFrom('a', 'b', 'c'),
  action: fc.constantFrom(
    'agent:execute',
    'command:call:x:y',
    'mcp:call:files:read',
    'skill:call:x',
    'context:retrieve:r',
  ),
  scopesRequired: fc.subarray(['a:b']),
  context: fc.record({
    role: fc.constantFrom('lead', 'worker'),
    effects: fc.constantFrom('read', 'write'),
    permission: fc.constantFrom('strict', 'open'),
    trust: fc.constantFrom(0, 0.1, 0.6, 1),
    base_scope: fc.subarray(['a:b', 'c:d']),
  }),
});

/** All policies and the whole context for every request: what Cedar says by itself. */
function unsliced(policies: Readonly<Record<string, string>>): Slices {
  const setId = `whole ${JSON.stringify(policies)}`;
  cedar.preparsePolicySet(setId, { staticPolicies: { ...policies } });
  return { sliceFor: () => ({ setId, attributes: null }) };
}

describe('the slices of Cedar policies', () => {
  it('decide as all policies with the whole context do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(policy, { maxLength: 6 }),
        fc.array(request, { minLength: 1, maxLength: 6 }),
        async (texts, requests) => {
          const policies = Object.fromEntries(texts.map((text, index) => [`p#${index + 1}`, text]));
          const [sliced, whole] = [cedarSet(cedar, createSlices(cedar, policies)), cedarSet(cedar, unsliced(policies))];
          for (const one of requests) {
            const facts = factsOf(one);
            const [found, expected] = [await sliced.decide(facts, signal), await whole.decide(facts, signal)];
            expect(sorted(found)).toEqual(sorted(expected));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    { text: 'permit(principal, action, resource);', kinds: null, agent: null, attributes: [] },
    {
      text: 'permit(principal == Agent::"a", action == Action::"skill:call", resource);',
      kinds: ['skill:call'],
      agent: 'a',
      attributes: [],
    },
    {
      text: 'permit(principal, action in [Action::"x", Action::"y"], resource);',
      kinds: ['x', 'y'],
      agent: null,
      attributes: [],
    },
    { text: 'permit(principal in Agent::"a", action, resource);', kinds: null, agent: null, attributes: [] },
    {
      text: 'permit(principal, action, resource) when { context.trust > 1 };',
      kinds: null,
      agent: null,
      attributes: ['trust'],
    },
    {
      text: 'permit(principal, action, resource) when { context has "tr\\u{75}st" };',
      kinds: null,
      agent: null,
      attributes: ['trust'],
    },
    {
      text: 'permit(principal, action, resource) when { context has trust.x };',
      kinds: null,
      agent: null,
      attributes: null,
    },
    {
      text: 'permit(principal, action, resource) when { {"Var": context}.Var.role == "x" };',
      kinds: null,
      agent: null,
      attributes: null,
    },
    { text: 'permit(principal, action, resource) when { context == {} };', kinds: null, agent: null, attributes: null },
  ])('read $text', ({ text, kinds, agent, attributes }) => {
    const scope = scopeOf(jsonOf(text));

    expect({
      ...scope,
      kinds: scope.kinds && [...scope.kinds],
      attributes: scope.attributes && [...scope.attributes],
    }).toEqual({
      kinds,
      agent,
      attributes,
    });
  });

  it('hold what can bear on a request and nothing else, and are made once', () => {
    const slices = createSlices(cedar, {
      a: 'permit(principal == Agent::"a", action, resource);',
      b: 'permit(principal == Agent::"b", action, resource) when { context.trust > 3 };',
      c: 'permit(principal, action == Action::"skill:call", resource);',
    });

    expect(slices.sliceFor('command:call', 'c')).toEqual({ setId: null, attributes: new Set() });
    expect(slices.sliceFor('command:call', 'b').attributes).toEqual(new Set(['trust']));
    expect(slices.sliceFor('skill:call', 'c')).toBe(slices.sliceFor('skill:call', 'someone-else'));
    expect(slices.sliceFor('skill:call', 'a')).not.toBe(slices.sliceFor('skill:call', 'c'));
  });
});

/** Cedar names the policies in no fixed order. */
const sorted = (decision: { readonly verdict: string; readonly reason?: string }) => ({
  ...decision,
  reason: decision.reason?.split(/[ ,]+/).sort(),
});
