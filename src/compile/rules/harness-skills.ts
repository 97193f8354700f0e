import type { AgentNode } from '../../domain/agent-node.js';
import { takesSkills } from '../../domain/harness-gateway.js';
import type { Linked } from '../link/link-workspace.js';
import type { Place, Report } from '../report.js';

/**
 * Reports `agent.harness-skills` for an agent that holds skills which the program of its adapter
 * cannot be given: it would work without them, and say nothing of it. Decision skills are asked by
 * kit itself.
 */
export function checkHarnessSkills(linked: Linked, agent: AgentNode, place: Place, report: Report): void {
  const { executor } = agent;
  if (executor.kind !== 'harness') return;
  const spec = linked.registries.adapters.get(executor.ref)?.value.spec;
  if (spec === undefined || takesSkills(spec)) return;
  const held = agent.skills.filter((id) => {
    const skill = linked.skills.get(id);
    return skill !== undefined && skill.category !== 'decision';
  });
  if (held.length === 0) return;
  const isNamed = spec.launch.mcp_tool_name !== undefined;
  report.add(place, {
    code: 'agent.harness-skills',
    message: `the agent \`${agent.id}\` holds ${held.map((id) => `\`${id}\``).join(', ')}, and the program of the adapter \`${executor.ref}\` cannot be given skills`,
    help: isNamed
      ? 'name `{task.mcp_config}` or `{task.mcp_command}` in the `launch` of the adapter: it is where the program finds them'
      : 'name an adapter whose program takes tools of kit, such as `claude-code`, or remove the skills',
  });
}
