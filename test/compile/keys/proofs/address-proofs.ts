import type { EffectProof } from './proof.js';

/** Where a server listens when no flag says it. */
export const ADDRESS_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.server.host', a: '127.0.0.1', b: '::1' },
  { key: 'Workspace.server.port', a: 8001, b: 8002 },
];

/** By which names a server without authentication is called. */
export const PAGE_PROOFS: readonly EffectProof[] = [
  { key: 'Workspace.server.public_url', a: 'https://kit.example.com', b: 'https://other.example.com' },
  { key: 'Workspace.server.allowed_hosts', a: ['kit.example.com'], b: ['kit.example.com:8443'] },
];
