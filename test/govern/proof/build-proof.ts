import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { RunEvent } from '../../../src/domain/events.js';
import type { DecisionSignature, ReviewState, RoleDirectory } from '../../../src/domain/gates.js';
import { withRows } from '../../../src/govern/approval/change.js';
import { openRound } from '../../../src/govern/approval/open-round.js';
import { policyDigest } from '../../../src/govern/approval/policy-digest.js';
import { resolveItem } from '../../../src/govern/approval/resolve-item.js';
import {
  PROOF_FORMAT,
  PROOF_KIND,
  type Proof,
  type ProofBody,
  type ProofEvent,
} from '../../../src/govern/proof/proof.js';
import { sealProof } from '../../../src/govern/proof/seal.js';
import { canonicalJson } from '../../../src/lib/canonical-json.js';
import { keyIdOf } from '../../../src/lib/ed25519.js';
import { sha256Hex } from '../../../src/lib/sha256.js';
import { type ChainEnd, encodeEvent } from '../../../src/store/event-row.js';
import { at, counter, emptyState, GATE, JOB, NO_EVIDENCE, policy, rule, SCOPE } from '../approval/build.js';

export interface TestKey {
  readonly publicKey: string;
  readonly sign: (body: string) => DecisionSignature;
}

/** A fresh Ed25519 key. */
export function newKey(): TestKey {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const text = raw.toString('base64');
  return {
    publicKey: text,
    sign: (body) => ({
      keyId: keyIdOf(raw),
      publicKey: text,
      value: sign(null, Buffer.from(body), privateKey).toString('base64'),
    }),
  };
}

export const PEOPLE: RoleDirectory = (() => {
  const roles = [
    { id: 'qa', members: ['qa-1', 'qa-2'], scopes: [SCOPE] },
    { id: 'ops', members: ['ops-1'], scopes: [SCOPE] },
  ];
  const identities = [{ id: 'ops-1', aliases: ['oona'] }];
  return { roles, identities, digest: sha256Hex(canonicalJson({ roles, identities })) };
})();

const POLICY = policy([rule(['qa']), rule(['ops'])], { minDistinctApprovers: 2 });

/** Two rounds of a gate with two roles: changes are asked for, then both sign. */
export function twoRounds(key: TestKey | null, asked = 'changes_requested'): ProofBody {
  const newId = counter();
  const artifacts = ['first draft', '{"second":"draft – ✓"}'];
  let state: ReviewState = emptyState();
  const events: RunEvent[] = [];
  const eventBase = () => ({
    eventId: newId(),
    timestamp: state.now,
    topologyId: 'release',
    agentId: 'writer',
    skillId: null,
    stepKey: 'root/g0',
  });
  const open = (text: string): void => {
    const sha256 = sha256Hex(text);
    const opened = openRound(state, {
      gateId: GATE,
      agentId: 'writer',
      activation: 'root',
      stepKey: 'root/g0',
      funnelId: 'sign-off',
      topologyId: 'release',
      artifactRef: `${JOB}/${JOB}/writer#${sha256.slice(0, 12)}`,
      sha256,
      mediaType: 'text/plain',
      policy: POLICY,
      policyDigest: policyDigest(POLICY),
      evidence: NO_EVIDENCE,
      parts: {},
      roles: PEOPLE,
    });
    if ('failed' in opened) throw new Error(opened.failed);
    const { gate, items, carried } = opened.opening;
    state = withRows(state, { gates: [gate], items, decisions: carried });
    events.push({
      ...eventBase(),
      type: 'approval.gate_opened',
      payload: {
        gate_id: GATE,
        round: gate.round,
        artifact_ref: gate.artifactRef,
        sha256,
        policy_digest: gate.policyDigest,
        role_tasks: items.map((item) => ({
          item_id: item.id,
          role: item.role ?? '',
          scope: item.scope ?? '',
          rule_index: item.ruleIndex ?? 0,
          carried: false,
        })),
        author: { identity: 'eve', assurance: 'authenticated', identified: true },
      },
    });
  };
  const decide = (minutes: number, identity: string, role: string, outcome: string, comment: string): void => {
    state = { ...state, now: at(minutes) };
    const item = state.items.findLast((one) => one.role === role);
    const change = resolveItem(state, {
      itemId: item?.id ?? '',
      identity,
      assurance: 'asserted',
      isUnauthenticated: true,
      outcome,
      comment,
      roles: PEOPLE,
      newId,
      sign: key === null ? null : key.sign,
    });
    state = withRows(state, change);
    events.push(...change.events);
  };
  open(artifacts[0] ?? '');
  decide(1, 'qa-1', 'qa', asked, 'name the risk');
  open(artifacts[1] ?? '');
  decide(3, 'qa-2', 'qa', 'approve', '');
  decide(4, 'oona', 'ops', 'approve', 'ship it');
  return {
    kind: PROOF_KIND,
    format: PROOF_FORMAT,
    exportedAt: at(5),
    gateId: GATE,
    run: { id: JOB, topology: 'release', correlationId: null, submittedBy: state.job.submittedBy },
    rounds: state.gates,
    artifacts: artifacts.map((content) => ({
      sha256: sha256Hex(content),
      mediaType: 'text/plain',
      encoding: 'utf8',
      content,
    })),
    registries: [PEOPLE],
    decisions: state.decisions,
    events: chained(events),
  };
}

/** Events as a store chains them. */
export function chained(events: readonly RunEvent[]): readonly ProofEvent[] {
  let last: ChainEnd = { seq: 0, hash: '' };
  return events.map((event) => {
    const record = encodeEvent(event, { run: 1, jobId: JOB, labels: '{}', correlationId: null }, last);
    last = { seq: record.seq, hash: record.hash };
    return {
      seq: record.seq,
      event_id: record.event_id,
      event_type: record.type,
      timestamp: record.timestamp,
      run_id: record.job_id,
      topology_id: record.topology_id,
      agent_id: record.agent_id,
      skill_id: record.skill_id,
      step_key: record.step_key,
      payload: JSON.parse(record.payload),
      prev_hash: record.prev_hash,
      hash: record.hash,
    };
  });
}

/** Hashes the chain anew, as somebody would who rewrites a log: every link fits again. */
export const rehashed = (events: readonly ProofEvent[]): readonly ProofEvent[] =>
  chained(
    events.map(
      (event) =>
        // The wire form holds what the record held.
        ({
          eventId: event.event_id,
          type: event.event_type,
          timestamp: event.timestamp,
          topologyId: event.topology_id,
          agentId: event.agent_id,
          skillId: event.skill_id,
          stepKey: event.step_key,
          payload: event.payload,
        }) as unknown as RunEvent,
    ),
  );

export const sealed = (key: TestKey | null): Proof => sealProof(twoRounds(key), key === null ? null : key.sign);
