import { type Json, type JsonObject, KitError } from '@kit-run/kit/plugin';

/** Patterns of actions; `*` stands for any characters, `:` included. */
export interface MockConfig {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}

const KEYS: readonly string[] = ['deny', 'ask'];

/**
 * The host has checked the configuration against schemas/mock.json before this code is loaded. A
 * rule that is misread would allow what somebody denied, so it is checked here once more: whoever
 * creates the provider otherwise is refused too.
 */
export function decodeConfig(config: JsonObject): MockConfig {
  const unknown = Object.keys(config).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw refuse(`has the unknown key ${JSON.stringify(unknown)}; known are ${KEYS.join(' and ')}`);
  return { deny: patterns(config.deny, 'deny'), ask: patterns(config.ask, 'ask') };
}

function patterns(value: Json | undefined, key: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw refuse(`needs a list under ${key}`);
  return value.map((pattern: Json) => {
    if (typeof pattern !== 'string' || pattern === '') throw refuse(`has an entry under ${key} that is not a pattern`);
    return pattern;
  });
}

const refuse = (problem: string): KitError =>
  new KitError('KIT_PLUGIN_CONFIG_INVALID', `governance.config of provider mock ${problem}`);
