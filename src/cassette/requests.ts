import { relative } from 'node:path';
import type { Json, JsonObject } from '../domain/json.js';
import type { ExecutorRequest } from '../domain/ports/executor.js';
import type { MemoryStore } from '../domain/ports/memory.js';
import type { EmbedRequest, ModelRequest } from '../domain/ports/model.js';
import type { ProcessSpec } from '../domain/ports/system.js';
import type { ServerCall } from '../domain/ports/tools.js';
import type { WorktreeRequest } from '../domain/ports/worktrees.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { isObject } from '../lib/json.js';
import { sha256Hex } from '../lib/sha256.js';

// What is asked, in the form that is recorded, digested and compared. Nothing of it depends on the
// run, the machine or the time: no ids, no absolute paths, no environment (`KIT_STEP_ID`,
// credentials).

export function askedOfModel(provider: string, request: ModelRequest): JsonObject {
  const { model, messages, tools, toolChoice, outputSchema, temperature, maxTokens, effort, strict, options } = request;
  return plain({
    provider,
    model,
    temperature,
    maxTokens,
    effort,
    strict,
    options,
    toolChoice,
    outputSchema,
    tools,
    messages,
  });
}

export const askedOfEmbedding = (provider: string, { model, texts }: EmbedRequest): JsonObject =>
  plain({ provider, model, texts });

export function askedOfCommand(spec: ProcessSpec, workspaceRoot: string): JsonObject {
  return plain({ argv: spec.argv, cwd: relative(workspaceRoot, spec.cwd), stdin: spec.stdin });
}

/** An adapter is named by its digest: what it starts is not part of the question. */
export function askedOfHarness(executor: string, request: ExecutorRequest): JsonObject {
  const { agentId, statement, config, adapter } = request;
  return plain({
    executor,
    agent: agentId,
    config,
    adapter: adapter === null ? null : sha256Hex(canonicalJson(adapter)),
    statement,
  });
}

export function askedOfWorktree(request: WorktreeRequest): JsonObject {
  return plain({ include_uncommitted: request.includeUncommitted, link: request.link });
}

export function askedOfTool(server: string, { tool, input }: Pick<ServerCall, 'tool' | 'input'>): JsonObject {
  return plain({ server, tool, input });
}

/** Whose memory it is stands in the first line of the file. */
export function askedOfRecall([{ scope }, ask]: Parameters<MemoryStore['find']>): JsonObject {
  return plain({ scope, ...ask });
}

export function askedOfRemember([{ candidates }]: Parameters<MemoryStore['write']>): JsonObject {
  return plain({ candidates });
}

/** What decoding the stored form gives: members that are undefined are gone. */
export const plain = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

export const digestOf = (value: Json): string => sha256Hex(canonicalJson(value));

/** Members of a model request that stand in parts of their own; of `messages` each item does. */
const SHARED = ['tools', 'outputSchema', 'messages'] as const;

interface PartRef {
  readonly part: string;
}

/**
 * The request with its large members replaced by references; `keep` takes each piece and gives its
 * digest.
 */
export function shareParts(asked: JsonObject, keep: (value: Json) => string): JsonObject {
  const shared: Record<string, Json> = { ...asked };
  for (const name of SHARED) {
    const value = asked[name];
    if (value === undefined || value === null) continue;
    shared[name] =
      name === 'messages' && Array.isArray(value) ? value.map((item) => ({ part: keep(item) })) : { part: keep(value) };
  }
  return shared;
}

/** The request as it was asked. A part that the file does not hold stays a reference. */
export function restoreParts(asked: JsonObject, parts: ReadonlyMap<string, Json>): JsonObject {
  const restore = (value: Json): Json => (isRef(value) ? (parts.get(value.part) ?? value) : value);
  const restored: Record<string, Json> = { ...asked };
  for (const name of SHARED) {
    const value = asked[name];
    if (value === undefined) continue;
    restored[name] = name === 'messages' && Array.isArray(value) ? value.map(restore) : restore(value);
  }
  return restored;
}

/** The list of a tool server is the same all run long: it stands in a part of its own. */
export const shareGiven = (gave: Json, keep: (value: Json) => string): Json =>
  isObject(gave) && Array.isArray(gave.tools) ? { ...gave, tools: { part: keep(gave.tools) } } : gave;

export const restoreGiven = (gave: Json, parts: ReadonlyMap<string, Json>): Json =>
  isObject(gave) && isRef(gave.tools) ? { ...gave, tools: parts.get(gave.tools.part) ?? null } : gave;

const isRef = (value: Json | undefined): value is JsonObject & PartRef =>
  isObject(value) && typeof value.part === 'string';
