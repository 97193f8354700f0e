import type { PolicyWorkspace } from '@kit-run/kit/plugin';

/** Kinds of action that a policy may name, and the entity type of what each is done to. */
export const RESOURCE_TYPES: Readonly<Record<string, string>> = {
  'agent:execute': 'Agent',
  'command:call': 'Command',
  'mcp:call': 'Tool',
  'skill:call': 'Skill',
  'context:retrieve': 'Context',
  'harness:approve': 'Capability',
};

/** No id can be empty in an enumeration of Cedar; nothing of a workspace has this name. */
const named = (names: readonly string[]): { readonly enum: readonly string[] } => ({
  enum: names.length === 0 ? ['(none)'] : [...new Set(names)],
});

/**
 * Cedar schema of a workspace, without a namespace. Agents, skills, commands and servers are
 * enumerations, so a policy that names one that is not there is refused by the validator. Tools are
 * known to their server alone; each is `in Server::"<id>"`.
 */
export function schemaOf(workspace: PolicyWorkspace): object {
  const context = {
    type: 'Record',
    attributes: {
      role: { type: 'String' },
      skill: { type: 'String' },
      effects: { type: 'String' },
      permission: { type: 'String' },
      trust: { type: 'Long' },
      base_scope: { type: 'Set', element: { type: 'String' } },
      scopes_required: { type: 'Set', element: { type: 'String' } },
    },
  };
  const actions = Object.entries(RESOURCE_TYPES).map(([kind, type]) => [
    kind,
    { appliesTo: { principalTypes: ['Agent'], resourceTypes: [type], context } },
  ]);
  return {
    '': {
      entityTypes: {
        Agent: named(workspace.agents),
        Skill: named(workspace.skills),
        Command: named(workspace.commands),
        Server: named(workspace.servers),
        Tool: { memberOfTypes: ['Server'] },
        Context: {},
        Capability: {},
      },
      actions: Object.fromEntries(actions),
    },
  };
}
