import { createProofApp } from '../app/proof/create-proof-app.js';
import type { ProofApp } from '../app/proof/proof-app.js';
import type { AppParts, Runs } from './parts.js';

/** Wires the use cases around proofs; imported when one is called. */
export async function openProofs(parts: AppParts, runs: Runs): Promise<ProofApp> {
  const [readDeps, { nodeFiles }, { openSigner }, { join }] = await Promise.all([
    runs.observe(),
    import('../system/files.js'),
    import('./signing-key.js'),
    import('node:path'),
  ]);
  return createProofApp({
    ...readDeps,
    files: nodeFiles,
    openSigner: () => openSigner(parts.env),
    schemaPath: join(parts.plugins.packageRoot, 'schemas', 'proof.schema.json'),
  });
}
