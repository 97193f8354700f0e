import { isDeepMessage, isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { badParams, RpcFailure } from './failure.js';

export type RpcId = string | number | null;

/** A call whose envelope is right; nothing is known of its params but that they are an object. */
export interface RpcCall {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
}

/** The id to answer with, also to what is not a call; null where there is none. */
export function idOf(body: Json | undefined): RpcId {
  if (!isObject(body) || !Object.hasOwn(body, 'id')) return null;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Throws -32600 and -32602. */
export function callOf(body: Json | undefined): RpcCall {
  if (isDeepMessage(body)) throw new RpcFailure(-32600, 'the body is nested deeper than any call');
  if (!isObject(body)) throw new RpcFailure(-32600, 'the body is not JSON-RPC request object; batches are not taken');
  const { id, jsonrpc, method } = body;
  if (jsonrpc !== '2.0') throw new RpcFailure(-32600, 'jsonrpc is not "2.0"');
  if (typeof method !== 'string' || method === '') throw new RpcFailure(-32600, 'there is no method');
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw new RpcFailure(-32600, 'id is neither a text nor a number');
  const params = Object.hasOwn(body, 'params') ? (body.params ?? {}) : {};
  if (!isObject(params)) throw badParams('params is not an object');
  return { id: idOf(body), method, params };
}
