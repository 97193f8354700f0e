import { importOptional } from '@kit-run/kit/plugin';

export type Toolkit = typeof import('@microsoft/agent-governance-sdk');

/** The Agent Governance Toolkit. Throws KIT_PACKAGE_MISSING where it is not installed. */
export const loadToolkit = (): Promise<Toolkit> =>
  importOptional('@microsoft/agent-governance-sdk', () => import('@microsoft/agent-governance-sdk'));
