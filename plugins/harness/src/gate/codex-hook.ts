import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { GATEWAY, isObject, type Json, type JsonObject, WAITS_FOR_PEOPLE } from '@kit-run/kit/plugin';
import type { OpenTools } from '../gateway/open-tools.js';
import type { CallPlace } from './classify.js';
import type { Announced } from './claude-hook.js';

/** What its hook says of a call that people decide about. */
export const WAITING = WAITS_FOR_PEOPLE;

/** What a call is read with. */
export interface CallReading {
  readonly place: CallPlace;
  readonly tools: Pick<OpenTools, 'names'> | null;
}

/** In its hooks a tool of a server is `mcp__server__tool`, in letters, digits and `_` alone. */
const OWN_SERVER = `mcp__${GATEWAY}__`;
const spelled = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_');
/** Files of one patch that are looked at; a patch with more is asked about as one with several. */
const MAX_FILES = 100;
/**
 * As Codex reads it: only a line feed ends a line, whose end is part of the path, and blanks may
 * stand before a head.
 */
const FILE = /(?<![^\n])[^\S\n]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): ([^\n]+)/g;

/**
 * Reads what Codex told its hook of a call. Where a command is to be carried out stands beside its
 * input, so it is made a part of it: people decide about both.
 */
export async function codexCallOf(text: string, { place, tools }: CallReading): Promise<Announced | null> {
  const event: Json = JSON.parse(text);
  if (!isObject(event)) return null;
  const { tool_name: tool, tool_use_id: callId, tool_input: given, session_id: session, cwd, agent_id: agent } = event;
  if (typeof tool !== 'string' || typeof callId !== 'string' || callId === '') return null;
  const input = isObject(given) ? given : {};
  const at = typeof cwd === 'string' ? cwd : place.cwd;
  return {
    ...{ callId, tool, input, isSubagent: agent !== undefined && agent !== null },
    ...(typeof session === 'string' ? { session } : {}),
    ...(tool === 'apply_patch' ? { paths: pathsOf(input, at) } : {}),
    ...(tool === 'Bash' ? await elsewhere(input, { at, place }) : {}),
    ...skillOf(tool, tools),
  };
}

/** Files that a patch adds, changes, deletes or moves. */
function pathsOf({ command }: JsonObject, cwd: string): readonly string[] {
  if (typeof command !== 'string') return [];
  const paths = [...command.matchAll(FILE)].slice(0, MAX_FILES).map(([, path = '']) => path.trim());
  return [...new Set(paths)].map((path) => (isAbsolute(path) ? path : resolve(cwd, path)));
}

/** Nothing where it is the directory of the session. */
async function elsewhere(
  input: JsonObject,
  { at, place }: { readonly at: string; readonly place: CallPlace },
): Promise<Partial<Pick<Announced, 'input' | 'within'>>> {
  const within = await realpath(at).catch(() => at);
  return within === place.cwd ? {} : { input: { ...input, workdir: within }, within };
}

/** One of kit's own tools, by the name that kit knows it by. */
function skillOf(tool: string, tools: CallReading['tools']): Pick<Announced, 'skill'> {
  if (!tool.startsWith(OWN_SERVER)) return {};
  const name = tools?.names.find((one) => spelled(one) === tool.slice(OWN_SERVER.length));
  return name === undefined ? {} : { skill: name };
}

/** In which of its stream's words calls of a tool come; no item reports the rest. */
const ITEM_KINDS = { command_execution: 'command', file_change: 'patch' } as const;
type ItemKind = (typeof ITEM_KINDS)[keyof typeof ITEM_KINDS] | 'server';

function itemKindOf(tool: string): ItemKind | null {
  if (tool === 'Bash') return 'command';
  if (tool === 'apply_patch') return 'patch';
  return tool.startsWith('mcp__') || tool.includes('mcp_resource') ? 'server' : null;
}

/**
 * Its stream has ids of its own, so calls are counted: each item that says that something is being
 * done takes one call that kit let through. A command may be a patch, and is then reported as one.
 */
export class Announcements {
  readonly #left: Record<ItemKind, number> = { command: 0, patch: 0, server: 0 };
  readonly #seen = new Set<string>();

  allowed(tool: string): void {
    const kind = itemKindOf(tool);
    if (kind !== null) this.#left[kind] += 1;
  }

  isOne(id: string | null, tool: string): boolean {
    if (id !== null && this.#seen.has(id)) return true;
    if (id !== null) this.#seen.add(id);
    const kind: ItemKind = Object.hasOwn(ITEM_KINDS, tool) ? ITEM_KINDS[tool as keyof typeof ITEM_KINDS] : 'server';
    if (this.#take(kind)) return true;
    return kind === 'patch' && this.#take('command');
  }

  #take(kind: ItemKind): boolean {
    if (this.#left[kind] === 0) return false;
    this.#left[kind] -= 1;
    return true;
  }
}
