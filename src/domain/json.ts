import type { JsonObject } from '../lib/json.js';

export type { Json, JsonObject } from '../lib/json.js';
/** A JSON Schema 2020-12 object that has been checked against the meta-schema. */
export type JsonSchema = JsonObject;
