import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { badParams, RpcFailure } from '../rpc/failure.js';
import { countOf, flagOf, memberOf, objectOf, textOf } from '../rpc/members.js';
import type { A2aVersion } from '../rpc/protocol.js';

/** One part of a message, whichever version wrote it. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: Json }
  /** Base64. */
  | { readonly kind: 'file'; readonly data: string; readonly name: string | null };

/** As many as `POST /run` takes. */
const MAX_FILES = 16;
const MAX_PARTS = 1000;

const byUri = (where: string): RpcFailure =>
  new RpcFailure(-32005, `${where} names an address; a file comes with its bytes`);

/** 0.3: `{kind: text|data|file}`; 1.0: one of `text`, `data`, `raw`, `url`. */
function partOf(value: Json, where: string): Part {
  if (!isObject(value)) throw badParams(`${where} is not an object`);
  const file = memberOf(value, 'file');
  if (isObject(file)) return fileOf(file, 'bytes', 'name', where);
  if (memberOf(value, 'raw') !== undefined) return fileOf(value, 'raw', 'filename', where);
  if (memberOf(value, 'url') !== undefined) throw byUri(where);
  const text = memberOf(value, 'text');
  if (typeof text === 'string') {
    if (text.includes('\u0000')) throw badParams(`${where}.text holds a NUL character`);
    return { kind: 'text', text };
  }
  if (Object.hasOwn(value, 'data') && value.data !== undefined) return { kind: 'data', data: value.data };
  throw badParams(`${where} holds neither text, data nor a file with its bytes`);
}

function fileOf(file: JsonObject, bytes: string, name: string, where: string): Part {
  const data = memberOf(file, bytes);
  if (typeof data !== 'string') {
    if (memberOf(file, 'uri') !== undefined) throw byUri(where);
    throw badParams(`${where} is a file without its bytes`);
  }
  return { kind: 'file', data, name: textOf(file, name, where, 255) ?? null };
}

/** What is asked: the input of a run, and its attachments. */
interface MessageRequest {
  readonly input: Json;
  readonly attachments: readonly { readonly data: string; readonly name?: string }[];
}

/**
 * Text parts joined by lines, data parts as JSON text among them; a message that is one data part
 * is that data. Files become attachments. Throws -32602, and -32005 for a file by its address.
 */
function requestOf(parts: Json | undefined): MessageRequest {
  if (!Array.isArray(parts) || parts.length === 0) throw badParams('message.parts holds no part');
  if (parts.length > MAX_PARTS) throw badParams(`message.parts holds more than ${MAX_PARTS} parts`);
  const all = parts.map((part, index) => partOf(part, `message.parts[${index}]`));
  const files = all.filter((part) => part.kind === 'file');
  if (files.length > MAX_FILES) throw badParams(`message.parts holds more than ${MAX_FILES} files`);
  const said = all.filter((part) => part.kind !== 'file');
  const [only, ...others] = said;
  if (only === undefined) throw badParams('message.parts holds neither text nor data');
  return {
    input:
      only.kind === 'data' && others.length === 0
        ? only.data
        : said.map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part.data))).join('\n'),
    attachments: files.map(({ data, name }) => ({ data, ...(name === null ? {} : { name }) })),
  };
}

/** What a caller still allows for the run. Absent members bound nothing. */
interface Budget {
  readonly costUsd?: number;
  /** Turns of models in the whole run. */
  readonly turns?: number;
  /** Time of execution; a parked run uses none of it. */
  readonly wallClockMs?: number;
}

const WHERE = 'message.metadata.swarmkit.budget';

function amountOf(budget: JsonObject, name: string): number | undefined {
  const value = memberOf(budget, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw badParams(`${WHERE}.${name} is not a number above 0`);
  return value;
}

/** `metadata.swarmkit.budget` of a message. Throws -32602. */
function budgetOf(swarmkit: JsonObject): Budget {
  const budget = objectOf(swarmkit, 'budget', 'message.metadata.swarmkit');
  if (budget === undefined) return {};
  const [usd, turns, minutes] = ['max_cost_usd', 'max_turns', 'max_wall_clock_minutes'].map((name) =>
    amountOf(budget, name),
  );
  if (turns !== undefined && turns < 1) throw badParams(`${WHERE}.max_turns allows no turn`);
  return {
    ...(usd === undefined ? {} : { costUsd: usd }),
    ...(turns === undefined ? {} : { turns: Math.floor(Math.min(turns, Number.MAX_SAFE_INTEGER)) }),
    // A timer of ten years is none; a number that does not fit one would fire at once.
    ...(minutes === undefined ? {} : { wallClockMs: Math.ceil(Math.min(minutes, 5_000_000) * 60_000) }),
  };
}

/** A message that asks for a run, before it is known of which topology. */
export interface SentMessage extends MessageRequest {
  /** Digest of `messageId`; null: it has none, and each time it is another message. */
  readonly key: string | null;
  /** `contextId`; null: the caller leaves it to us. */
  readonly contextId: string | null;
  /** The task that it is meant for; null: a new one. */
  readonly taskId: string | null;
  /** `metadata.skill`, else `metadata.swarmkit.topology`. */
  readonly topology: string | null;
  readonly budget: Budget;
  readonly maxSteps: number | null;
  /** Who stands behind the caller, as it says. */
  readonly onBehalfOf: readonly string[];
  /** Runs above this one, as the caller counts them. */
  readonly depth: number;
  /** The caller waits for the end, or for people. */
  readonly isBlocking: boolean;
}

/** Submitters of a line of runs that a caller may name. */
const MAX_BEHALF = 8;

/** Deeper than this calls do not go, wherever the runs are. */
export const MAX_DEPTH = 5;

/** `params` of a send, in the words of either version. Throws -32602, -32003, -32005. */
export function messageOf(version: A2aVersion, params: JsonObject): SentMessage {
  const message = objectOf(params, 'message', 'params');
  if (message === undefined) throw badParams('there is no params.message');
  const metadata = objectOf(message, 'metadata', 'message') ?? {};
  const swarmkit = objectOf(metadata, 'swarmkit', 'message.metadata') ?? {};
  const configuration = objectOf(params, 'configuration', 'params') ?? {};
  for (const name of ['pushNotificationConfig', 'taskPushNotificationConfig'])
    if (memberOf(configuration, name) !== undefined)
      throw new RpcFailure(-32003, 'push notifications are not sent; follow the task, or ask for it');
  const id = textOf(message, 'messageId', 'message');
  return {
    ...requestOf(memberOf(message, 'parts')),
    key: id === undefined ? null : `a2a:${createHash('sha256').update(id).digest('hex')}`,
    contextId: textOf(message, 'contextId', 'message') ?? null,
    taskId: textOf(message, 'taskId', 'message') ?? null,
    topology:
      textOf(metadata, 'skill', 'message.metadata', 256) ??
      textOf(swarmkit, 'topology', 'message.metadata.swarmkit', 256) ??
      null,
    budget: budgetOf(swarmkit),
    maxSteps: countOf(configuration, 'maxSteps', 'configuration', 1) ?? null,
    onBehalfOf: behalfOf(swarmkit),
    depth: depthOf(swarmkit),
    isBlocking: isBlocking(version, configuration),
  };
}

/** 0.3 answers at once unless `blocking`, 1.0 waits unless `returnImmediately`. */
const isBlocking = (version: A2aVersion, configuration: JsonObject): boolean =>
  version === '0.3'
    ? (flagOf(configuration, 'blocking', 'configuration') ?? false)
    : !(flagOf(configuration, 'returnImmediately', 'configuration') ?? false);

function behalfOf(swarmkit: JsonObject): readonly string[] {
  const named = memberOf(swarmkit, 'on_behalf_of');
  if (named === undefined) return [];
  const where = 'message.metadata.swarmkit.on_behalf_of';
  if (!Array.isArray(named) || named.length > MAX_BEHALF)
    throw badParams(`${where} is not a list of at most ${MAX_BEHALF} identities`);
  return named.map((one, index) => {
    const identity = textOf(
      { identity: isObject(one) ? (one.identity ?? '') : one },
      'identity',
      `${where}[${index}]`,
      256,
    );
    if (identity === undefined) throw badParams(`${where}[${index}] is not an identity`);
    return identity;
  });
}

function depthOf(swarmkit: JsonObject): number {
  const depth = countOf(swarmkit, 'depth', 'message.metadata.swarmkit', 0) ?? 0;
  if (depth > MAX_DEPTH)
    throw badParams(`message.metadata.swarmkit.depth is ${depth}: runs call runs ${MAX_DEPTH} levels deep at most`);
  return depth;
}
