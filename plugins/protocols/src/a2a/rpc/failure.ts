import { ERROR_REGISTRY, isKitError, type JsonObject, problemCode } from '@kit-run/kit/plugin';
import type { A2aVersion } from './protocol.js';

/** Every code that this endpoint answers, with the reason that 1.0 writes for it. */
const REASONS = {
  [-32700]: 'PARSE_ERROR',
  [-32600]: 'INVALID_REQUEST',
  [-32601]: 'METHOD_NOT_FOUND',
  [-32602]: 'INVALID_PARAMS',
  [-32603]: 'INTERNAL_ERROR',
  [-32001]: 'TASK_NOT_FOUND',
  [-32002]: 'TASK_NOT_CANCELABLE',
  [-32003]: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  [-32004]: 'UNSUPPORTED_OPERATION',
  [-32005]: 'CONTENT_TYPE_NOT_SUPPORTED',
  [-32009]: 'VERSION_NOT_SUPPORTED',
} as const;

export type RpcCode = keyof typeof REASONS;

/** A refusal as JSON-RPC has it; it travels on HTTP 200. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: RpcCode;
  /** Facts for programs, such as `gate_url`. */
  readonly data: JsonObject;

  constructor(code: RpcCode, message: string, data: JsonObject = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** `-32602 Invalid params`, the refusal of nearly everything. */
export const badParams = (message: string, data: JsonObject = {}): RpcFailure => new RpcFailure(-32602, message, data);

/**
 * What a use case refuses, by the table of docs/a2a.md#errors. Null: it is not a refusal but a
 * defect, of which a caller learns nothing.
 */
export function failureOf(error: unknown): RpcFailure | null {
  if (error instanceof RpcFailure) return error;
  if (!isKitError(error)) return null;
  const { http } = ERROR_REGISTRY[error.code];
  const data: JsonObject = { code: problemCode(error.code) };
  const because = { cause: error };
  if (error.code === 'KIT_JOB_UNKNOWN') return new RpcFailure(-32001, error.message, data, because);
  if (error.code === 'KIT_ATTACHMENT_INVALID' && error.data?.reason === 'unsupported_media_type')
    return new RpcFailure(-32005, error.message, data, because);
  if (error.code === 'KIT_IDEMPOTENCY_CONFLICT')
    return new RpcFailure(-32602, 'this messageId was used for another message', data, because);
  if (http === 400 || http === 404 || http === 422) return new RpcFailure(-32602, error.message, data, because);
  if (http === 500) return null;
  const { retryAfterSeconds } = error.data ?? {};
  const again = typeof retryAfterSeconds === 'number' ? { retry_after: Math.ceil(retryAfterSeconds) } : {};
  return new RpcFailure(-32603, error.message, { ...data, status: http, ...again }, because);
}

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';

/** 0.3 puts facts into `data` as they are, 1.0 an ErrorInfo whose metadata are texts. */
export function wireError(version: A2aVersion, { code, message, data }: RpcFailure): JsonObject {
  const hasFacts = Object.keys(data).length > 0;
  if (version === '0.3') return { code, message, ...(hasFacts ? { data } : {}) };
  const metadata = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const info = { '@type': ERROR_INFO, reason: REASONS[code], domain: 'a2a-protocol.org' };
  return { code, message, data: [{ ...info, ...(hasFacts ? { metadata } : {}) }] };
}
