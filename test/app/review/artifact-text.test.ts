import { expect, it } from 'vitest';
import { artifactText } from '../../../src/app/review/artifact-text.js';
import type { GateRound } from '../../../src/domain/gates.js';
import type { ArtifactStore } from '../../../src/domain/ports/artifacts.js';

it.each([
  ['c/r/a%2Fb%23c%25#dddddddddddd', 'a/b#c%'],
  ['no reference', 'no reference'],
])('names the artifact of %s as a list of artifacts does', async (ref, name) => {
  const artifacts = { read: async () => Buffer.from('text') } as unknown as ArtifactStore;
  // All that is asked of a round.
  const round = { artifactRef: ref, sha256: 'd'.repeat(64), mediaType: 'text/plain' } as GateRound;
  expect(await artifactText({ artifacts }, round)).toMatchObject({ ref, name, text: 'text' });
});
