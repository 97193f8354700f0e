import { mcpWorkspace } from '../../../support/mcp/workspace.js';
import type { Documents } from '../../../support/shows-effect.js';
import type { EffectProof } from './proof.js';

/** A workspace as it is served over MCP. */
export const OFFERED: Documents = Object.fromEntries(
  Object.entries(mcpWorkspace()).map(([path, text]) => [path, JSON.parse(text)]),
);

/** Whether a topology can be called over MCP, and what a call of a run that lasts answers. */
export const MCP_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.server.mcp.enabled', a: true, b: false },
  { key: 'Workspace.server.mcp.wait_seconds', a: 0, b: 30 },
];
