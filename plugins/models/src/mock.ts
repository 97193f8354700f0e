import { defineModelProvider } from '@kit-run/kit/plugin';
import { createMock } from './mock/provider.js';

/**
 * Model provider `mock`: deterministic answers for tests, scripted or sampled from the output
 * schema.
 */
export const contribution = defineModelProvider({ create: createMock });
