import type { JsonObject } from './json.js';

/** What kit is called among the MCP servers of a harness: the same on every launch. */
export const GATEWAY = 'kit';

/** What the folders are called in which kit listens to the programs that it started. */
export const GATE_FOLDER = 'kit-gate-';

/** How the program of an adapter spells tools of kit: what stands before and behind the name. */
function spellingOf({ launch }: JsonObject): readonly [string, string] {
  const isBlock = typeof launch === 'object' && launch !== null && 'mcp_tool_name' in launch;
  const template = isBlock && typeof launch.mcp_tool_name === 'string' ? launch.mcp_tool_name : '{tool}';
  const [before = '', ...behind] = template.replaceAll('{gateway}', GATEWAY).split('{tool}');
  return [before, behind.join('{tool}')];
}

/** A tool of kit as the program of an adapter spells it. */
export function toolNameOf(spec: JsonObject, tool: string): string {
  const [before, behind] = spellingOf(spec);
  return `${before}${tool}${behind}`;
}

/**
 * The tool of kit that a program calls by this name, whether or not there is one of that name; null
 * where it is none. Names that do not say whose they are count when they are `offered`.
 */
export function toolCalled(spec: JsonObject, name: string, offered: readonly string[]): string | null {
  const [before, behind] = spellingOf(spec);
  if (name.length <= before.length + behind.length || !name.startsWith(before) || !name.endsWith(behind)) return null;
  const tool = name.slice(before.length, name.length - behind.length);
  return before.includes(GATEWAY) || offered.includes(tool) ? tool : null;
}

/**
 * Whether the program of an adapter can be given the skills of its agent: its launch names where
 * kit listens (`{task.mcp_config}`, `{task.mcp_command}`), or it speaks ACP, which says it by
 * itself, and the adapter says how its tools are spelled (`launch.mcp_tool_name`).
 */
export function takesSkills(spec: JsonObject): boolean {
  const { stream, launch } = spec;
  if (typeof launch !== 'object' || launch === null) return false;
  const isAcp = typeof stream === 'object' && stream !== null && 'format' in stream && stream.format === 'acp';
  if (isAcp) return 'mcp_tool_name' in launch;
  return /\{task\.mcp_(?:config|command)\}/.test(JSON.stringify(launch));
}
