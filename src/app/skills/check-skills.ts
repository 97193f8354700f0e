import type { KitError } from '../../domain/errors.js';
import { isKitError } from '../../domain/errors.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { ToolServer } from '../../domain/ports/tools.js';
import type { LinkedServer } from '../../domain/tool-server.js';
import { nearest } from '../../lib/nearest.js';
import type { SkillCheck, SkillChecks } from '../../view/skill-report.js';

/** The skills and servers of a workspace, and what opens one of them. */
export interface CheckDeps {
  readonly skills: readonly Pick<LinkedSkill, 'id' | 'implementation'>[];
  readonly servers: ReadonlyMap<string, LinkedServer>;
  /** Throws KIT_TOOL_SERVER_FAILED and what else keeps a server from being opened. */
  readonly open: (server: LinkedServer) => Promise<Pick<ToolServer, 'tools'>>;
  /** Words of a server or a program, without secrets. */
  readonly mask: (text: string) => string;
}

type Found = { readonly tools: readonly string[] } | { readonly failure: string };

const MAX_DETAIL = 500;

const wordsOf = (error: unknown): string => (isKitError(error) ? (error as KitError).message : String(error));

async function toolsOf(server: LinkedServer | undefined, { open, mask }: CheckDeps): Promise<Found> {
  if (server === undefined) return { failure: 'the workspace declares no such server' };
  try {
    const tools = await (await open(server)).tools();
    return { tools: tools.map(({ name }) => mask(name)) };
  } catch (error) {
    return { failure: mask(wordsOf(error)).slice(0, MAX_DETAIL) };
  }
}

function checkOf(skill: string, server: string, tool: string, found: Found): SkillCheck {
  const base = { skill, server, tool };
  if ('failure' in found) return { ...base, status: 'server-failed', detail: found.failure };
  if (found.tools.includes(tool)) return { ...base, status: 'ok', detail: '' };
  const meant = nearest(tool, found.tools);
  const hint = meant === null ? `it has ${found.tools.length}` : `did you mean ${meant}?`;
  return { ...base, status: 'missing', detail: `the server has no tool ${tool}; ${hint}`.slice(0, MAX_DETAIL) };
}

/** Opens each server once, all at the same time. See `SkillsApp.check`. */
export async function checkSkills(deps: CheckDeps, start: 'named' | 'all'): Promise<SkillChecks> {
  const called = deps.skills.flatMap(({ id, implementation }) =>
    implementation.type === 'mcp_tool' ? [{ id, server: implementation.server, tool: implementation.tool }] : [],
  );
  const ids = [...new Set([...called.map(({ server }) => server), ...(start === 'all' ? deps.servers.keys() : [])])];
  const found = new Map(
    await Promise.all(ids.map(async (id) => [id, await toolsOf(deps.servers.get(id), deps)] as const)),
  );
  const checks = called
    .map(({ id, server, tool }) => checkOf(id, server, tool, found.get(server) ?? { failure: 'nobody looked' }))
    .toSorted((a, b) => (a.skill < b.skill ? -1 : 1));
  const servers = [...found]
    .map(([server, of]) => ({
      server,
      tools: 'failure' in of ? [] : of.tools,
      detail: 'failure' in of ? of.failure : '',
    }))
    .toSorted((a, b) => (a.server < b.server ? -1 : 1));
  return { checks, servers };
}
