import { defineModelProvider } from '@kit-run/kit/plugin';
import { createRules } from './rules/provider.js';

/**
 * Model provider `rules`: no language model; answers are values found in the results of the
 * children.
 */
export const contribution = defineModelProvider({
  // The JSONPath library is loaded when a run uses the provider, not when the plugin is listed.
  create: async () => createRules(await import('json-p3')),
});
