import { ERROR_REGISTRY, type ErrorCode } from '../domain/error-registry.js';
import { isKitError, KitError, messageOf } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import { isObject } from '../lib/json.js';
import { plain } from './requests.js';

/** An error as an answer: what a caller can tell of it. */
export const encodeError = (error: unknown): JsonObject => ({
  code: isKitError(error) ? error.code : null,
  message: messageOf(error),
  ...(isKitError(error) && Object.keys(error.data).length > 0 ? { data: plain(error.data) } : {}),
});

/** The error again, a refusal of kit with its code. */
export function decodeError(value: Json | undefined): Error {
  const { code = null, message = '', data = {} } = isObject(value) ? value : {};
  const text = String(message);
  return typeof code === 'string' && Object.hasOwn(ERROR_REGISTRY, code)
    ? new KitError(code as ErrorCode, text, { data: isObject(data) ? data : {} })
    : new Error(text);
}
