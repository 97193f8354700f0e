// The model providers that agents may name. No key.
import {
  arrayOf,
  BOOLEAN,
  closed,
  held,
  NUMBER,
  nullable,
  OBJECT,
  objectOrNull,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  type TypeOf,
} from './words.js';

/**
 * Limits and prices are shown as the file writes them, with its errors, and what is sent in a body
 * beside that is the business of the service: these are open.
 */
export const PROVIDER = closed({
  id: STRING,
  family: TEXT_OR_NULL,
  chain: STRINGS,
  source: STRING as Schema<'bundled' | 'workspace' | 'plugin'>,
  path: TEXT_OR_NULL,
  state: STRING,
  variable: TEXT_OR_NULL,
  reason: TEXT_OR_NULL,
  base_url: TEXT_OR_NULL,
  auth: objectOrNull(
    closed({ api_key_env: held('variable', STRING), header: STRING, scheme: STRING, is_set: BOOLEAN }),
  ),
  models: closed({ pattern: TEXT_OR_NULL, accept_any: BOOLEAN }),
  capabilities: objectOrNull(
    closed({ images: BOOLEAN, tools: BOOLEAN, streaming: BOOLEAN, structured_output: BOOLEAN }),
  ),
  lift_to_root: nullable(STRINGS),
  headers: recordOf(STRING),
  extra_body: OBJECT,
  context_window: nullable(NUMBER),
  limits: OBJECT,
  prices: arrayOf(OBJECT),
});
export type WireProvider = TypeOf<typeof PROVIDER>;

/** `GET /providers`. */
export const PROVIDERS = closed({ providers: arrayOf(PROVIDER) });
