import { defineGovernanceProvider } from '@kit-run/kit/plugin';
import { decodeConfig } from './mock-config.js';
import { createMock } from './mock-provider.js';

/** Governance provider `mock`: what a workspace without a `governance` block gets. */
export const contribution = defineGovernanceProvider({ create: (config) => createMock(decodeConfig(config)) });
