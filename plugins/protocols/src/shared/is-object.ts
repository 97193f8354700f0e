import type { Json, JsonObject } from '@kit-run/kit/plugin';

/** Whether a value of JSON is an object with members. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
