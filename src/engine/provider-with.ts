import type { ModelProvider } from '../domain/ports/model.js';

/**
 * A provider that does some things in another way. What it keeps of the one below stays bound to
 * it, and what that one has not stays absent.
 */
export const providerWith = (
  provider: ModelProvider,
  other: Pick<ModelProvider, 'generate'> & Partial<ModelProvider>,
): ModelProvider => ({
  price: (model, usage) => provider.price(model, usage),
  ...(provider.embed === undefined ? {} : { embed: provider.embed.bind(provider) }),
  ...(provider.contextWindow === undefined ? {} : { contextWindow: provider.contextWindow.bind(provider) }),
  ...(provider.limits === undefined ? {} : { limits: provider.limits }),
  ...(provider.documents === undefined ? {} : { documents: provider.documents }),
  ...(provider.schemaBesideTools === undefined ? {} : { schemaBesideTools: provider.schemaBesideTools }),
  ...other,
});
