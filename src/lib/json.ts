/** Any value that survives JSON.stringify and JSON.parse. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON value that is an object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value of JSON is an object with members: no list, and not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is not an object has no members. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
