import { beforeAll, expect, it } from 'vitest';
import { proofText, sealProof } from '../../../src/govern/proof/seal.js';
import { verifyProof } from '../../../src/govern/proof/verify-proof.js';
import { type JsonSchemas, loadJsonSchemas } from '../../../src/lib/json-schema.js';
import { newKey, rehashed, twoRounds } from './build-proof.js';

let schemas: JsonSchemas;
beforeAll(async () => {
  schemas = await loadJsonSchemas();
});

it('is intact whichever spelling of changes was asked for, and whichever stands in its log', () => {
  const key = newKey();
  const misfit = (value: unknown): string | null => schemas.validate({ type: 'object' }, value)[0]?.pointer ?? null;
  const body = twoRounds(key, 'changes-requested');
  const spelt = body.events.map((event) =>
    event.payload.outcome === 'changes_requested'
      ? { ...event, payload: { ...event.payload, outcome: 'changes-requested' } }
      : event,
  );
  expect(spelt).not.toEqual(body.events);
  for (const events of [body.events, rehashed(spelt)]) {
    const file = Buffer.from(proofText(sealProof({ ...body, events }, key.sign)));
    expect(verifyProof(file, { keys: [key.publicKey], misfit })).toMatchObject({ kind: 'intact', origin: 'proven' });
  }
});
