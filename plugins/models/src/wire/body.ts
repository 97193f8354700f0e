import type { JsonObject } from '@kit-run/kit/plugin';
import { objectAt } from '../shared/json.js';
import type { ServerConfig } from './config.js';
import type { Family } from './family.js';

/**
 * Options that only Ollama knows; others do not get them, so that KIT_PROVIDER can move a run
 * there.
 */
export const OLLAMA_ONLY: readonly string[] = [
  'think',
  'keep_alive',
  'num_ctx',
  'num_gpu',
  'num_predict',
  'num_thread',
];

/** Options of local servers of every kind, which the hosted services of a vendor refuse. */
export const LOCAL_ONLY: readonly string[] = [...OLLAMA_ONLY, 'repeat_last_n', 'repeat_penalty', 'min_p'];

/** The first reserved key among the options and the extra body; null = none. */
export function reservedKey(family: Family, config: ServerConfig, options: JsonObject): string | null {
  return family.reserved.find((key) => Object.hasOwn(options, key) || Object.hasOwn(config.extraBody, key)) ?? null;
}

/** True when `finalBody` has anything to say. */
export function changesBody(config: ServerConfig, options: JsonObject): boolean {
  return Object.keys(config.extraBody).length > 0 || Object.keys(options).length > 0;
}

/**
 * The request body with the server's extra body and, last, the agent's options: an option named
 * like a first-class key overrides it (`temperature`, `max_tokens`). Options that are not lifted go
 * into the family's own object (`options`, `generationConfig`), which is merged key by key.
 */
export function finalBody(family: Family, body: JsonObject, config: ServerConfig, given: JsonObject): JsonObject {
  const ignored = new Set(family.ignored(config));
  const options = Object.entries(given).filter(([key]) => !ignored.has(key));
  const { nest } = family;
  const isLifted = (key: string): boolean =>
    nest === null || key === nest || config.liftToRoot === null || config.liftToRoot.includes(key);
  const lifted = Object.fromEntries(options.filter(([key]) => isLifted(key)));
  const nested = Object.fromEntries(options.filter(([key]) => !isLifted(key)));
  const outer = { ...body, ...config.extraBody, ...lifted };
  if (nest === null) return outer;
  const inner = { ...objectAt(body, nest), ...objectAt(config.extraBody, nest), ...nested, ...objectAt(lifted, nest) };
  return Object.keys(inner).length === 0 ? outer : { ...outer, [nest]: inner };
}
