import type { EffectProof } from './proof.js';

const A2A = 'Workspace.server.a2a';

/** What other agents meet: whether there is a card, what it says, how long a message waits. */
export const A2A_PROOFS: readonly EffectProof[] = [
  { key: `${A2A}.enabled`, a: true, b: false },
  { key: `${A2A}.wait_seconds`, a: 5, b: 6, given: { [`${A2A}.enabled`]: true } },
  ...['name', 'description', 'organization'].map((name) => ({
    key: `${A2A}.identity.${name}`,
    a: 'Desk',
    b: 'Counter',
    given: { [`${A2A}.enabled`]: true },
  })),
  { key: `${A2A}.identity.url`, a: 'https://a.example', b: 'https://b.example', given: { [`${A2A}.enabled`]: true } },
];
