import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordedDecision } from '../../../src/domain/gates.js';
import type { Proof, ProofBody, ProofEvent } from '../../../src/govern/proof/proof.js';
import { proofText, sealProof } from '../../../src/govern/proof/seal.js';
import { type ProofVerdict, verifyProof } from '../../../src/govern/proof/verify-proof.js';
import { type JsonSchemas, loadJsonSchemas } from '../../../src/lib/json-schema.js';
import { newKey, rehashed, sealed, type TestKey, twoRounds } from './build-proof.js';

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../schemas/proof.schema.json', import.meta.url), 'utf8'),
) as object;
const key: TestKey = newKey();
let schemas: JsonSchemas;
beforeAll(async () => {
  schemas = await loadJsonSchemas();
});

const misfit = (value: unknown): string | null => schemas.validate(SCHEMA, value)[0]?.pointer ?? null;
const check = (bytes: Uint8Array | string, keys: readonly string[] = []): ProofVerdict =>
  verifyProof(Buffer.from(bytes), { keys, misfit });
const bytesOf = (proof: Proof): Buffer => Buffer.from(proofText(proof));

/** What was found wrong, and where. */
function wrongOf(verdict: ProofVerdict): string {
  if (verdict.kind === 'failed') return `${verdict.problem.what}: ${verdict.problem.message}`;
  return verdict.kind === 'intact' ? `intact, ${verdict.origin}` : verdict.message;
}

/** Seals what an attacker made, with a key or as it came. */
const forged = (body: ProofBody, by: TestKey | null): Proof => sealProof(body, by === null ? null : by.sign);

/** One decision is another one, and everything that merely agrees with itself is made to agree. */
function rewritten(body: ProofBody, change: Partial<RecordedDecision>, by: TestKey | null): ProofBody {
  const decisions = body.decisions.map((decision, at) => {
    if (at !== 2) return decision;
    const { stale, signature, ...rest } = { ...decision, ...change };
    return { ...rest, stale, signature: by === null ? signature : by.sign(JSON.stringify(sorted(rest))) };
  });
  const changed = decisions[2];
  const events = body.events.map(
    (event): ProofEvent =>
      changed !== undefined && event.payload.decision_id === changed.id
        ? {
            ...event,
            payload: { ...event.payload, identity: changed.identity, person: changed.person, comment: changed.comment },
          }
        : event,
  );
  return { ...body, decisions, events: rehashed(events) };
}

const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

describe('a proof that nobody touched', () => {
  it('is intact, and its origin is proven by the key that signed it and not without', () => {
    const file = bytesOf(sealed(key));
    expect(wrongOf(check(file))).toBe('intact, not-proven');
    expect(wrongOf(check(file, [key.publicKey]))).toBe('intact, proven');
  });

  it('is intact without signatures, and then no key proves it', () => {
    const file = bytesOf(sealed(null));
    expect(wrongOf(check(file))).toBe('intact, not-proven');
    expect(wrongOf(check(file, [key.publicKey]))).toContain('is not signed');
  });

  it('is not proven by the key of somebody else', () => {
    expect(wrongOf(check(bytesOf(sealed(key)), [newKey().publicKey]))).toContain('none of those given');
  });
});

describe('a proof whose bytes were changed', () => {
  it('fails for every byte of it, whatever it is flipped to', () => {
    const file = bytesOf(sealed(key));
    const survivors: number[] = [];
    for (let at = 0; at < file.length; at++) {
      for (const mask of at % 4 === 0 ? [0x01, 0x20] : [0x01]) {
        const copy = Buffer.from(file);
        copy[at] = (copy[at] ?? 0) ^ mask;
        if (check(copy).kind === 'intact') survivors.push(at);
      }
    }
    expect(file.length).toBeGreaterThan(5000);
    expect(survivors).toEqual([]);
  }, 120_000);

  it('fails when a byte is missing or one too many, anywhere', () => {
    const file = bytesOf(sealed(key));
    const survivors: number[] = [];
    for (let at = 0; at <= file.length; at += 7) {
      const shorter = Buffer.concat([file.subarray(0, at), file.subarray(at + 1)]);
      const longer = Buffer.concat([file.subarray(0, at), Buffer.from(' '), file.subarray(at)]);
      if (at < file.length && check(shorter).kind === 'intact') survivors.push(at);
      if (check(longer).kind === 'intact') survivors.push(at);
    }
    expect(survivors).toEqual([]);
  });

  it.each([
    ['indented', (proof: Proof) => `${JSON.stringify(proof, null, 2)}\n`],
    ['without its last line feed', (proof: Proof) => proofText(proof).trimEnd()],
    ['with two line feeds', (proof: Proof) => `${proofText(proof)}\n`],
    ['with a byte order mark', (proof: Proof) => `\uFEFF${proofText(proof)}`],
    ['with an escape where none is needed', (proof: Proof) => proofText(proof).replace('ship it', 'ship\\u0020it')],
    ['with a number in another form', (proof: Proof) => proofText(proof).replace('"format":1', '"format":1.0')],
    [
      'with its members in another order',
      (proof: Proof) => `${JSON.stringify(Object.fromEntries(Object.entries(proof).toReversed()))}\n`,
    ],
    ['with a member twice', (proof: Proof) => proofText(proof).replace('"format":1', '"format":1,"format":1')],
  ])('is refused %s, and names the first byte', (_, write) => {
    const verdict = check(write(sealed(key)));
    expect(verdict.kind === 'failed' ? verdict.problem.what : verdict.kind).toMatch(/^(not-canonical|unreadable)$/);
    if (verdict.kind === 'failed') expect(verdict.problem.offset).toBeTypeOf('number');
  });

  it.each([
    ['no JSON', 'no proof at all', 'the file is not JSON'],
    ['other JSON', '{"kind":"other"}\n', 'the file is not a proof of a gate'],
    ['no text', Buffer.from([0xff, 0xfe, 0x00]), 'the file is not UTF-8 text'],
  ])('says of %s that it is not a proof', (_, bytes, message) => {
    expect(check(bytes)).toEqual({ kind: 'unreadable', message });
  });

  it('refuses a format of a later kit by its number', () => {
    const later = { ...sealed(key), format: 2 };
    expect(wrongOf(check(proofText(later)))).toBe('format: the proof has format 2, this kit knows 1');
  });

  it('refuses a field that it does not know, and one that is missing', () => {
    const body = twoRounds(key);
    expect(wrongOf(check(proofText(forged({ ...body, note: 'x' } as ProofBody, key))))).toContain('shape');
    expect(wrongOf(check(proofText(forged({ ...body, decisions: undefined } as unknown as ProofBody, key))))).toContain(
      'shape',
    );
  });
});

/**
 * Everything is sealed and signed anew by the attacker where `forged` does so: what fails is the
 * one check that the row is about.
 */
const ROWS: readonly (readonly [string, (body: ProofBody) => ProofBody, RegExp])[] = [
  [
    'an artifact whose bytes are others',
    (body) => ({ ...body, artifacts: body.artifacts.map((one) => ({ ...one, content: `${one.content}!` })) }),
    /^artifact: .* does not have that digest/,
  ],
  [
    'an artifact left out',
    (body) => ({ ...body, artifacts: body.artifacts.slice(1) }),
    /^artifact: .* of round 0 is missing/,
  ],
  [
    'an artifact that no round is about',
    (body) => ({
      ...body,
      artifacts: [
        ...body.artifacts,
        {
          sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          mediaType: 'text/plain',
          encoding: 'utf8',
          content: '',
        },
      ],
    }),
    /^artifact: no round is about/,
  ],
  [
    'a round that shows another ref',
    (body) => ({ ...body, rounds: body.rounds.map((one) => ({ ...one, artifactRef: 'a/b/c#000000000000' })) }),
    /^artifact: round 0 names a\/b\/c/,
  ],
  [
    'an event left out',
    (body) => ({ ...body, events: body.events.filter((event) => event.seq !== 3) }),
    /^chain: event 3 is missing/,
  ],
  ['the first event left out', (body) => ({ ...body, events: body.events.slice(1) }), /^chain: event 1 is missing/],
  [
    'two events in another order',
    (body) => ({ ...body, events: swap(body.events, 2, 3) }),
    /^chain: event 3 stands out of its place: event 4 comes before it/,
  ],
  [
    'an event that comes twice',
    (body) => ({ ...body, events: [...body.events.slice(0, 2), ...body.events.slice(1)] }),
    /^chain: event 3 stands out of its place/,
  ],
  [
    'an event that was edited',
    (body) => ({
      ...body,
      events: body.events.map((event) =>
        event.seq === 2 ? { ...event, timestamp: event.timestamp.replace('2026', '2027') } : event,
      ),
    }),
    /^chain: event 2 .* is not what was hashed/,
  ],
  [
    'an event that was left out with the numbers made anew',
    (body) => ({
      ...body,
      events: body.events.filter((event) => event.seq !== 3).map((event, at) => ({ ...event, seq: at + 1 })),
    }),
    /^chain: event 3 does not follow/,
  ],
  [
    'the event of a round left out and everything hashed anew',
    (body) => ({
      ...body,
      events: rehashed(body.events.filter((event) => event.event_type !== 'approval.gate_opened')),
    }),
    /^gate: round 0 is opened by no event/,
  ],
  [
    'a round left out',
    (body) => ({
      ...body,
      rounds: body.rounds.slice(1),
      artifacts: body.artifacts.slice(1),
      decisions: body.decisions.slice(1),
    }),
    /^gate: a round is missing/,
  ],
  [
    'the last round left out',
    (body) => ({
      ...body,
      rounds: body.rounds.slice(0, 1),
      artifacts: body.artifacts.slice(0, 1),
      decisions: body.decisions.slice(0, 1),
    }),
    /^gate: round 1 of event \d+ is missing/,
  ],
  [
    'another policy',
    (body) => ({
      ...body,
      rounds: body.rounds.map((one) => ({ ...one, policy: { ...one.policy, minDistinctApprovers: 1 } })),
    }),
    /^policy: the policy of round 0 does not have the digest/,
  ],
  [
    'another status',
    (body) => ({ ...body, rounds: body.rounds.map((one) => ({ ...one, status: 'approved' as const })) }),
    /^gate: round 0 states approved, but its decisions come to changes-requested/,
  ],
  [
    'a decision left out',
    (body) => ({ ...body, decisions: body.decisions.slice(0, 2) }),
    /^gate: round 1 states approved, but its decisions come to pending/,
  ],
  [
    'a decision left out with its event',
    (body) => ({
      ...body,
      decisions: body.decisions.slice(1),
      events: rehashed(body.events.filter((event) => event.payload.decision_id !== body.decisions[0]?.id)),
    }),
    /^gate: round 0 states changes-requested/,
  ],
  [
    'a decision that stands there twice',
    (body) => ({ ...body, decisions: [...body.decisions, ...body.decisions.slice(2)] }),
    /^decision: .* stands there twice/,
  ],
  [
    'a decision with another comment',
    (body) => ({ ...body, decisions: body.decisions.map((one) => ({ ...one, comment: 'no' })) }),
    /^decision: .* differ in comment/,
  ],
  [
    'a decision at another time',
    (body) => ({ ...body, decisions: body.decisions.map((one) => ({ ...one, at: '2026-01-05T09:00:00.001Z' })) }),
    /^decision: .* differ in time/,
  ],
  ['a registry left out', (body) => ({ ...body, registries: [] }), /^registry: the registry .* is missing/],
  [
    'a registry with another member',
    (body) => ({
      ...body,
      registries: body.registries.map((one) => ({
        ...one,
        roles: one.roles.map((role) => ({ ...role, members: ['eve'] })),
      })),
    }),
    /^registry: .* does not have that digest/,
  ],
  [
    'a person that the registry does not give',
    (body) => rewritten(body, { person: 'oona' }, null),
    /^decision: .* names the person oona/,
  ],
  [
    'somebody who is in no role',
    (body) => rewritten(body, { identity: 'mallory', person: 'mallory' }, null),
    /^decision: .* was made by nobody of the role ops/,
  ],
  [
    'the author as an approver',
    (body) => ({ ...body, run: { ...body.run, submittedBy: { identity: 'qa-1', assurance: 'authenticated' } } }),
    /^decision: .* was made by the author/,
  ],
];

const swap = (events: readonly ProofEvent[], a: number, b: number): readonly ProofEvent[] =>
  events.map((event, at) => (at === a ? (events[b] ?? event) : at === b ? (events[a] ?? event) : event));

describe('a proof that was made anew with every digest right', () => {
  it.each(ROWS)('fails with %s', (_, change, message) => {
    expect(wrongOf(check(bytesOf(forged(change(twoRounds(key)), key))))).toMatch(message);
  });

  it('fails after one decision was changed while the signatures are the old ones', () => {
    const body = rewritten(twoRounds(key), { comment: 'I never said this' }, null);
    expect(wrongOf(check(bytesOf(forged(body, key))))).toMatch(
      /^signature: the signature of decision .* does not fit what was signed/,
    );
  });

  it('agrees with itself when the signatures are made anew, and fails with the key of who really signed', () => {
    const attacker = newKey();
    const body = rewritten(twoRounds(key), { comment: 'I never said this' }, attacker);
    const file = bytesOf(forged(body, attacker));
    expect(wrongOf(check(file))).toBe('intact, not-proven');
    expect(wrongOf(check(file, [key.publicKey]))).toMatch(
      /^key: decision .* is signed with key [0-9a-f]{16}, which is none of those given/,
    );
    expect(wrongOf(check(bytesOf(forged(body, key)), [key.publicKey]))).toMatch(/^key: decision/);
  });

  it('fails with the key when a whole store was rewritten', () => {
    const attacker = newKey();
    const file = bytesOf(sealed(attacker));
    expect(wrongOf(check(file))).toBe('intact, not-proven');
    expect(wrongOf(check(file, [key.publicKey]))).toMatch(/^key:/);
  });

  it('fails when the signature of the export is that of another export', () => {
    const [one, other] = [
      sealed(key),
      sealProof({ ...twoRounds(key), exportedAt: '2026-02-02T00:00:00.000Z' }, key.sign),
    ];
    expect(wrongOf(check(proofText({ ...one, signature: other.signature })))).toMatch(
      /^signature: the signature of the proof does not fit/,
    );
  });

  it('fails when a key id is not that of its key, and when base64 has bits set that mean nothing', () => {
    const proof = sealed(key);
    const signature = proof.signature ?? key.sign('');
    expect(wrongOf(check(proofText({ ...proof, signature: { ...signature, keyId: '0000000000000000' } })))).toMatch(
      /^signature: .* names key 0000000000000000/,
    );
    const loose = signature.value.replace(
      /(.)==$/,
      (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}==`,
    );
    expect(Buffer.from(loose, 'base64')).toEqual(Buffer.from(signature.value, 'base64'));
    expect(wrongOf(check(proofText({ ...proof, signature: { ...signature, value: loose } })))).toMatch(/^signature/);
  });
});
