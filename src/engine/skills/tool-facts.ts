import type { Effects } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedImplementation, LinkedSkill } from '../../domain/linked-skill.js';
import type { ServerTool, ToolServer } from '../../domain/ports/tools.js';
import type { LinkedServer } from '../../domain/tool-server.js';
import { isDeeper } from '../../lib/is-deeper.js';
import { isObject } from '../../lib/json.js';
import { leaveForLease } from '../lease-over.js';
import type { RunServices } from '../services.js';
import { StepFailure } from '../step-failure.js';
import type { ToolFacts } from './tool-cache.js';

/** A skill that is a tool of a server. */
export type ToolSkill = LinkedSkill & { readonly implementation: Extract<LinkedImplementation, { type: 'mcp_tool' }> };

export const isToolSkill = (skill: LinkedSkill): skill is ToolSkill => skill.implementation.type === 'mcp_tool';

export function serverOf(services: Pick<RunServices, 'snapshot'>, skill: ToolSkill): LinkedServer {
  const server = services.snapshot.servers?.[skill.implementation.server];
  // Submit refuses a run that reaches a server which nobody declares.
  if (server === undefined) throw new Error(`snapshot holds no server ${skill.implementation.server}`);
  return server;
}

type Asking = Pick<RunServices, 'snapshot' | 'toolServer' | 'lease'>;

export const openServer = (services: Asking, skill: ToolSkill, stepKey: string): Promise<ToolServer> =>
  services.toolServer(serverOf(services, skill), services.lease, stepKey);

/**
 * Asks the server, for the step of this key. Throws KIT_TOOL_SERVER_FAILED, StepFailure
 * `tool_unknown` for a tool that the server does not have, and Unfinished.
 */
export async function toolFacts(services: RunServices, skill: ToolSkill, stepKey: string): Promise<ToolFacts> {
  const { server: id, tool: name } = skill.implementation;
  const tools = await listOf(services, skill, stepKey);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    const known = tools.map((one) => one.name).join(', ');
    throw new StepFailure(
      'tool_unknown',
      `the skill ${skill.id} names the tool ${name}, and the server ${id} has none of that name; ${known === '' ? 'it has no tools' : `it has ${known}`}`,
    );
  }
  const effects = skill.effects === 'unknown' ? hintedEffects(tool) : skill.effects;
  return {
    effects,
    onInDoubt: serverOf(services, skill).onInDoubt[name] ?? (effects === 'destructive' ? 'ask' : 'repeat'),
    isIdempotent: effects === 'read' || effects === 'none' || tool.hints.idempotent === true,
    inputSchema: withoutFixed(skill.inputs ?? shownSchema(services, tool), skill.implementation.arguments),
  };
}

/**
 * What a lease took away with the server says nothing about it: the run goes on from its journal,
 * and asks again.
 */
async function listOf(services: RunServices, skill: ToolSkill, stepKey: string): Promise<readonly ServerTool[]> {
  try {
    return await (await openServer(services, skill, stepKey)).tools();
  } catch (error) {
    if (!services.signal.aborted && services.lease.until() <= services.clock.now()) throw leaveForLease(services);
    throw error;
  }
}

/**
 * The server's own schema, as a model is shown it: without the secrets that the server was given,
 * like all else that it says. One that nobody can walk through says nothing; the server still
 * judges the arguments.
 */
const shownSchema = ({ steps }: RunServices, { inputSchema }: ServerTool): JsonObject =>
  isDeeper(inputSchema) ? { type: 'object' } : steps.deps.mask(inputSchema);

/**
 * What a server says of its tool, where the workspace says nothing
 * (docs/design/execution.md#effects). Only what it says counts: that a tool may be destructive by
 * default is not a statement about this one, and a tool without any hint stays `unknown`.
 */
export function hintedEffects({ hints }: Pick<ServerTool, 'hints'>): Effects {
  if (hints.readOnly === true) return 'read';
  if (hints.destructive === true) return 'destructive';
  return hints.readOnly === false || hints.destructive === false ? 'write' : 'unknown';
}

/** Fixed arguments are none of the model's business: it is not shown that they exist. */
export function withoutFixed(schema: JsonObject, fixed: JsonObject): JsonObject {
  const { properties, required } = schema;
  const isOpen = (name: string): boolean => !Object.hasOwn(fixed, name);
  return {
    ...schema,
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOpen(name))) }
      : {}),
    ...(Array.isArray(required)
      ? { required: required.filter((name) => typeof name !== 'string' || isOpen(name)) }
      : {}),
  };
}
