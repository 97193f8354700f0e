import { heldSkills } from '../compile/link/held-skills.js';
import type { AgentNode } from '../domain/agent-node.js';
import type { ToolSpec } from '../domain/ports/model.js';
import type { RunServices } from './services.js';
import type { ToolFacts } from './skills/tool-cache.js';
import { isToolSkill, type ToolSkill, toolFacts } from './skills/tool-facts.js';
import { Unfinished } from './unfinished.js';

export interface OfferedTools {
  /** The tools of the call as the model is shown them. */
  readonly tools: readonly ToolSpec[];
  /**
   * Names of those that only read because their servers say so: a replay counts calls by what was
   * known then.
   */
  readonly reads: readonly string[];
}

/** Key of its model call, and what that call offers. */
interface Turn {
  readonly key: string;
  readonly tools: readonly ToolSpec[];
}

/**
 * How the tools of a turn come to what their servers say of them; null where no tool is one of a
 * server. The names are known without asking, so a turn that was answered before opens nothing.
 */
export function describer(services: RunServices, node: AgentNode, turn: Turn): (() => Promise<OfferedTools>) | null {
  const { key, tools } = turn;
  const skills = new Map(
    heldSkills(services.snapshot, node).flatMap((skill): (readonly [string, ToolSkill])[] =>
      isToolSkill(skill) ? [[skill.id, skill]] : [],
    ),
  );
  if (!tools.some(({ name }) => skills.has(name))) return null;
  return async () => {
    const described = await Promise.all(
      tools.map(async (tool) => {
        const skill = skills.get(tool.name);
        return skill === undefined ? { tool, isRead: false } : describe(services, { key, tool, skill });
      }),
    );
    return {
      tools: described.map(({ tool }) => tool),
      reads: described.flatMap(({ tool, isRead }) => (isRead ? [tool.name] : [])),
    };
  };
}

interface Described {
  readonly tool: ToolSpec;
  readonly isRead: boolean;
}

async function describe(
  services: RunServices,
  { key, tool, skill }: { readonly key: string; readonly tool: ToolSpec; readonly skill: ToolSkill },
): Promise<Described> {
  const { inputSchema, effects } = await factsOrKnown(services, skill, key);
  return { tool: { ...tool, inputSchema }, isRead: skill.effects === 'unknown' && effects === 'read' };
}

/**
 * A server that cannot be had when a run comes to it fails the run. One that is lost later on, or
 * that takes a tool away, fails the calls of that tool: whether there will be any is the model's to
 * say, who is shown what was known of it.
 */
async function factsOrKnown(services: RunServices, skill: ToolSkill, key: string): Promise<ToolFacts> {
  const { facts } = services.toolCache;
  try {
    const found = await toolFacts(services, skill, key);
    facts.set(skill.id, found);
    return found;
  } catch (error) {
    const known = facts.get(skill.id);
    if (known === undefined || services.signal.aborted || error instanceof Unfinished) throw error;
    return known;
  }
}
