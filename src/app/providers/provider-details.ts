import { type CodedProvider, codedConfig } from '../../compile/link/coded-providers.js';
import {
  NAMED_BY_MODEL,
  type ProviderRegistry,
  type ResolvedProvider,
  resolveProvider,
} from '../../compile/link/providers.js';
import { flagAt, numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from '../../compile/read.js';
import type { ContributionInfo, PluginHost } from '../../domain/extension-points.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { ProviderDetails, ProviderState } from './providers-app.js';

const SERVER = DEFAULTS.ModelServer;
const CAN = DEFAULTS['ModelServer.capabilities'];

/** What was found of the workspace and the machine. */
export interface Found {
  readonly plugins: Pick<PluginHost, 'find' | 'list'>;
  readonly isSet: (name: string) => boolean;
  readonly registry: ProviderRegistry;
  /** The first error of a file; null = it has none. */
  readonly reasonOf: (path: string) => string | null;
}

const NOTHING = {
  baseUrl: null,
  auth: null,
  models: { pattern: null, acceptAny: false },
  capabilities: null,
  liftToRoot: null,
  headers: {},
  extraBody: {},
  contextWindow: null,
  limits: {},
  prices: [],
} as const;

/** A file below `providers/`. */
export function ofFile(found: Found, { id, path }: { readonly id: string; readonly path: string }): ProviderDetails {
  const spec = resolveProvider(found.registry, id);
  const reason = found.reasonOf(path);
  if (spec === null) return unreadable(found, { id, path });
  return { ...ofSpec(found, spec), path, ...(reason === null ? {} : { state: { kind: 'invalid', reason } }) };
}

/** A file of which nothing but its name is known. */
export function unreadable(
  { reasonOf }: Found,
  { id, path }: { readonly id: string; readonly path: string },
): ProviderDetails {
  const reason = reasonOf(path) ?? 'its chain of `extends` reaches no family';
  return { ...NOTHING, id, family: null, chain: [id], source: 'workspace', path, state: { kind: 'invalid', reason } };
}

export function ofBundled(found: Found, id: string): ProviderDetails {
  const spec = resolveProvider(new Map(), id);
  if (spec === null) throw new Error(`the bundled provider ${id} has no family`);
  // Of the bundled ones only these are selected by the name of a model.
  return NAMED_BY_MODEL.includes(id) ? ofSpec(found, spec) : { ...ofSpec(found, spec), models: NOTHING.models };
}

/** A model provider that a plugin contributes and that needs no configuration. */
export function ofPlugin({ name }: ContributionInfo): ProviderDetails {
  return {
    ...NOTHING,
    id: name,
    family: name,
    chain: [name],
    source: 'plugin',
    path: null,
    state: { kind: 'ready', variable: null },
  };
}

interface Entry {
  readonly entry: CodedProvider;
  readonly path: string;
  readonly reason: string | null;
}

/**
 * An entry of `model_providers`. What a plugin reads beside the settings that all families share is
 * its own.
 */
export function ofEntry(found: Found, { entry, path, reason }: Entry): ProviderDetails {
  const info = found.plugins.find('modelProviders', entry.class);
  const config = codedConfig(info?.name ?? entry.class, entry.config);
  const capabilities = objectAt(config, 'capabilities');
  const variable = textAt(config, 'api_key_env');
  const missing = info === null ? `no installed plugin contributes ${entry.class}` : null;
  const why = reason ?? missing;
  return {
    ...NOTHING,
    id: entry.id,
    family: info?.name ?? null,
    chain: [entry.id, entry.class],
    source: 'workspace',
    path,
    state: why === null ? stateOf(found, variable) : { kind: 'invalid', reason: why },
    baseUrl: textAt(config, 'base_url'),
    auth: authOf(found, {
      variable,
      header: textAt(config, 'header') ?? SERVER.header,
      scheme: textAt(config, 'scheme') ?? SERVER.scheme,
    }),
    capabilities:
      capabilities === null
        ? null
        : {
            images: flagAt(capabilities, 'images') ?? CAN.images,
            tools: flagAt(capabilities, 'tools') ?? CAN.tools,
            streaming: flagAt(capabilities, 'streaming') ?? CAN.streaming,
            structuredOutput: flagAt(capabilities, 'structured_output') ?? CAN.structured_output,
          },
    liftToRoot: config.lift_to_root === undefined ? null : textsAt(config, 'lift_to_root'),
    headers: withoutSecrets(textMapAt(config, 'headers')),
    extraBody: objectAt(config, 'extra_body') ?? {},
    contextWindow: numberAt(config, 'context_window'),
    limits: objectAt(config, 'limits') ?? {},
    prices: objectsAt(config, 'prices'),
  };
}

function ofSpec(found: Found, spec: ResolvedProvider): ProviderDetails {
  const isInstalled = found.plugins.find('modelProviders', spec.family) !== null;
  const {
    id,
    family,
    chain,
    baseUrl,
    apiKeyEnv,
    header,
    scheme,
    pattern,
    acceptAny,
    capabilities,
    liftToRoot,
    headers,
    extraBody,
    contextWindow,
    limits,
    prices,
  } = spec;
  return {
    id,
    family,
    chain,
    source: spec.origin,
    path: null,
    state: isInstalled
      ? stateOf(found, apiKeyEnv)
      : { kind: 'invalid', reason: `no installed plugin brings the family ${family}` },
    baseUrl,
    auth: authOf(found, { variable: apiKeyEnv, header, scheme }),
    models: { pattern, acceptAny },
    capabilities,
    liftToRoot,
    headers: withoutSecrets(headers),
    extraBody,
    contextWindow,
    limits,
    prices,
  };
}

function stateOf({ isSet }: Found, variable: string | null): ProviderState {
  return variable === null || isSet(variable) ? { kind: 'ready', variable } : { kind: 'needs', variable };
}

function authOf(
  { isSet }: Found,
  { variable, header, scheme }: { readonly variable: string | null; readonly header: string; readonly scheme: string },
): ProviderDetails['auth'] {
  return variable === null ? null : { variable, header, scheme, isSet: isSet(variable) };
}

const SECRET_NAME = /auth|key|token|secret|cookie|password/i;
const REFERENCE = /\$\{[A-Za-z_]\w*\}|\{credential\.[\w.-]+\}/;

/**
 * A header of such a name is shown as the reference it holds: text that stands there itself may be
 * the secret.
 */
function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) ? (REFERENCE.exec(value)?.[0] ?? '***') : value,
    ]),
  );
}
