import type { ProviderDetails, ProviderState } from '@kit-run/kit/command';

/** Whether the provider could be called now, in the words of the list. */
export function describeState(state: ProviderState): string {
  switch (state.kind) {
    case 'ready':
      return state.variable === null ? 'no key needed' : `ready (${state.variable} set)`;
    case 'needs':
      return `needs ${state.variable}`;
    case 'invalid':
      return `INVALID ${state.reason}`;
  }
}

/** One provider for people: a line a fact, nothing that does not hold. */
export function describeProvider(provider: ProviderDetails): readonly string[] {
  const {
    id,
    chain,
    source,
    path,
    state,
    baseUrl,
    auth,
    models,
    capabilities,
    liftToRoot,
    headers,
    extraBody,
    contextWindow,
    limits,
    prices,
  } = provider;
  const facts: readonly (readonly [string, string | null])[] = [
    ['chain', chain.length > 1 ? chain.join(' -> ') : null],
    ['source', path === null ? source : `${source} (${path})`],
    ['state', describeState(state)],
    ['base_url', baseUrl],
    [
      'auth',
      auth === null
        ? 'none'
        : `${auth.header}: ${auth.scheme === '' ? '' : `${auth.scheme} `}<${auth.variable}> (${auth.isSet ? 'set' : 'not set'})`,
    ],
    [
      'models',
      [models.pattern, models.acceptAny ? 'any' : null].filter((text) => text !== null).join(', ') ||
        'only where an agent names the provider',
    ],
    ['capabilities', capabilities === null ? null : capabilityWords(capabilities)],
    ['lift_to_root', liftToRoot === null ? null : liftToRoot.join(', ')],
    ['headers', Object.keys(headers).length === 0 ? null : JSON.stringify(headers)],
    ['extra_body', Object.keys(extraBody).length === 0 ? null : JSON.stringify(extraBody)],
    ['context_window', contextWindow === null ? null : `${contextWindow} tokens`],
    ['limits', Object.keys(limits).length === 0 ? null : JSON.stringify(limits)],
    ['prices', prices.length === 0 ? null : JSON.stringify(prices)],
  ];
  return [id, ...facts.flatMap(([name, text]) => (text === null ? [] : [`  ${name.padEnd(13)} ${text}`]))];
}

function capabilityWords(capabilities: NonNullable<ProviderDetails['capabilities']>): string {
  return Object.entries(wireCapabilities(capabilities))
    .map(([name, has]) => (has ? name : `no ${name}`))
    .join(', ');
}

const wireCapabilities = ({
  images,
  tools,
  streaming,
  structuredOutput,
}: NonNullable<ProviderDetails['capabilities']>) => ({
  images,
  tools,
  streaming,
  structured_output: structuredOutput,
});

/** One row of the list on the wire. */
export function toWireSummary({ id, family, source, path, state }: ProviderDetails): unknown {
  return {
    id,
    family,
    source,
    path,
    state: state.kind,
    ...('variable' in state ? { variable: state.variable } : { reason: state.reason }),
  };
}

/** One provider on the wire, in snake case, with the names that a provider file uses. */
export function toWireProvider(provider: ProviderDetails): unknown {
  const { chain, baseUrl, auth, models, capabilities, liftToRoot, headers, extraBody, contextWindow, limits, prices } =
    provider;
  return {
    ...(toWireSummary(provider) as object),
    chain,
    base_url: baseUrl,
    auth:
      auth === null
        ? null
        : { api_key_env: auth.variable, header: auth.header, scheme: auth.scheme, is_set: auth.isSet },
    models: { pattern: models.pattern, accept_any: models.acceptAny },
    capabilities: capabilities === null ? null : wireCapabilities(capabilities),
    lift_to_root: liftToRoot,
    headers,
    extra_body: extraBody,
    context_window: contextWindow,
    limits,
    prices,
  };
}
