/** Any value that survives JSON.stringify and JSON.parse. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON value that is an object. */
export type JsonObject = { readonly [key: string]: Json };
/** A JSON Schema 2020-12 object that has been checked against the meta-schema. */
export type JsonSchema = JsonObject;
