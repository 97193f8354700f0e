import { type JsonObject, type StatedLimits, type StatedPrice, statedPrices } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';
import { isList, numberAt, objectAt, own } from '../shared/json.js';

/**
 * Configuration of one OpenAI-compatible server, decoded; the host has checked it against
 * schemas/server.json.
 */
export interface ServerConfig {
  readonly baseUrl: string;
  /** Environment variable that holds the key; null = no key is sent. */
  readonly apiKeyEnv: string | null;
  readonly header: string;
  /** Word before the key; '' = the key alone. */
  readonly scheme: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly extraBody: JsonObject;
  /** Options at the top level of the request; null = all of them. */
  readonly liftToRoot: readonly string[] | null;
  readonly capabilities: Capabilities;
  readonly limits: StatedLimits;
  /** Tokens of the window of every model here; null = what the table says of each. */
  readonly contextWindow: number | null;
  /** In the order of the configuration. */
  readonly prices: readonly StatedPrice[];
}

/**
 * What the server can do. False narrows what is sent or refuses the call; nothing is dropped in
 * silence.
 */
export interface Capabilities {
  readonly images: boolean;
  readonly tools: boolean;
  readonly streaming: boolean;
  readonly structuredOutput: boolean;
}

const CAPABILITIES = DEFAULTS['server.capabilities'];

export function decodeConfig(config: JsonObject): ServerConfig {
  const capabilities = objectAt(config, 'capabilities');
  const canDo = (what: keyof typeof CAPABILITIES): boolean => {
    const value = own(capabilities, what);
    return typeof value === 'boolean' ? value : CAPABILITIES[what];
  };
  const limits = objectAt(config, 'limits');
  const lift = own(config, 'lift_to_root');
  return {
    baseUrl: stringAt(config, 'base_url') ?? '',
    apiKeyEnv: stringAt(config, 'api_key_env'),
    header: stringAt(config, 'header') ?? DEFAULTS.server.header,
    scheme: stringAt(config, 'scheme') ?? DEFAULTS.server.scheme,
    headers: Object.fromEntries(
      Object.entries(objectAt(config, 'headers')).map(([name, value]) => [name, String(value)]),
    ),
    extraBody: objectAt(config, 'extra_body'),
    liftToRoot: isList(lift) ? lift.filter((item) => typeof item === 'string') : null,
    capabilities: {
      images: canDo('images'),
      tools: canDo('tools'),
      streaming: canDo('streaming'),
      structuredOutput: canDo('structured_output'),
    },
    limits: {
      inFlight: numberAt(limits, 'in_flight'),
      requestsPerMinute: numberAt(limits, 'requests_per_minute'),
    },
    contextWindow: numberAt(config, 'context_window'),
    prices: statedPrices(own(config, 'prices')),
  };
}

function stringAt(config: JsonObject, key: string): string | null {
  const value = own(config, key);
  return typeof value === 'string' ? value : null;
}
