import { ERROR_REGISTRY, type ErrorCode } from '../../domain/error-registry.js';
import { isKitError, KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';

/** An error as an answer: what a caller can tell of it. */
export const encodeError = (error: unknown): JsonObject => ({
  code: isKitError(error) ? error.code : null,
  message: error instanceof Error ? error.message : String(error),
});

/** The error again, a refusal of kit with its code. */
export function decodeError(value: Json | undefined): Error {
  const { code = null, message = '' } = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  const text = String(message);
  return typeof code === 'string' && Object.hasOwn(ERROR_REGISTRY, code) ? new KitError(code as ErrorCode, text) : new Error(text);
}
