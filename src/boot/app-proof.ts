import type { ProofDeps } from '../app/proof/create-proof-app.js';
import type { ProofApp } from '../app/proof/proof-app.js';

/** Wires the use cases around proofs; every part is imported when it is first used. */
export function createProofs(deps: () => Promise<ProofDeps>): ProofApp {
  let built: Promise<ProofApp> | undefined;
  const app = (): Promise<ProofApp> => (built ??= build(deps));
  return {
    export: async (ask) => (await app()).export(ask),
    verify: async (ask) => (await app()).verify(ask),
    key: async () => (await app()).key(),
  };
}

async function build(deps: () => Promise<ProofDeps>): Promise<ProofApp> {
  const { createProofApp } = await import('../app/proof/create-proof-app.js');
  return createProofApp(await deps());
}
