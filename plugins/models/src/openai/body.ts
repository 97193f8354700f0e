import type { JsonObject } from '@kit-run/kit/plugin';
import type { ServerConfig } from './config.js';

/** Decided by kit for each call; an option or extra body of this name is refused, for it would break the reading of the answer. */
const RESERVED = ['stream', 'stream_options', 'messages', 'tools'] as const;

/** The first reserved key among the options and the extra body; null = none. */
export function reservedKey(config: ServerConfig, options: JsonObject): string | null {
  return RESERVED.find((key) => Object.hasOwn(options, key) || Object.hasOwn(config.extraBody, key)) ?? null;
}

/**
 * The request body with the server's extra body and, last, the agent's options: an option named like a first-class key
 * overrides it (`temperature`, `max_tokens`). Options that are not lifted go into the body's `options` object.
 */
export function finalBody(body: Readonly<Record<string, unknown>>, config: ServerConfig, options: JsonObject): Record<string, unknown> {
  const lifted = Object.entries(options).filter(([key]) => config.liftToRoot === null || config.liftToRoot.includes(key));
  const nested = Object.entries(options).filter(([key]) => config.liftToRoot !== null && !config.liftToRoot.includes(key));
  const outer = { ...body, ...config.extraBody, ...Object.fromEntries(lifted) };
  if (nested.length === 0) return outer;
  const inherited = config.extraBody.options;
  return { ...outer, options: { ...(typeof inherited === 'object' && inherited !== null ? inherited : {}), ...Object.fromEntries(nested) } };
}
