import { KitError } from '../../domain/errors.js';
import type { StoredEvent } from '../../domain/events.js';
import type { DecisionSignature, RoleDirectory } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import {
  PROOF_FORMAT,
  PROOF_KIND,
  type Proof,
  type ProofArtifact,
  type ProofBody,
  type ProofEvent,
} from '../../govern/proof/proof.js';
import { toProofEvent } from '../../govern/proof/proof-event.js';
import { sealProof } from '../../govern/proof/seal.js';
import { assertNotPruned } from '../find-job.js';
import { unknownGate } from '../review/find-item.js';
import { gateCalled } from '../review/named-items.js';
import { decidedIn } from './check-log.js';

/** Events of a page: the store's own bound. */
const PAGE = 1000;

export interface ExportDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly sign: ((body: string) => DecisionSignature) | null;
}

/**
 * Gathers what a proof holds and seals it. `name`: the gate, or a run that has one, as `gateCalled`
 * takes it. Throws what that throws, KIT_ARTIFACT_CORRUPT, and KIT_JOB_UNKNOWN when the run is
 * removed meanwhile: what is left of it, missing bytes as well, proves nothing.
 */
export async function exportProof(deps: ExportDeps, name: string): Promise<Proof> {
  const { stores, clock, sign } = deps;
  const gate = await gateCalled(stores, name);
  const [gathered] = await Promise.allSettled([gather(stores, gate)]);
  await assertNotPruned(stores.retention, gate.jobId);
  if (gathered.status === 'rejected') throw gathered.reason;
  const head = { kind: PROOF_KIND, format: PROOF_FORMAT, exportedAt: new Date(clock.now()).toISOString() } as const;
  return sealProof({ ...head, ...gathered.value }, sign);
}

type Gathered = Omit<ProofBody, 'kind' | 'format' | 'exportedAt'>;

async function gather(
  stores: Stores,
  { jobId, gateId }: { readonly jobId: string; readonly gateId: string },
): Promise<Gathered> {
  const job = await stores.jobs.get(jobId);
  if (job === null) throw unknownGate(gateId);
  const { state, events } = await atOneMoment(stores, job, gateId);
  const rounds = state.gates.filter((round) => round.gateId === gateId).toSorted((a, b) => a.round - b.round);
  const decisions = state.decisions.filter((decision) => decision.gateId === gateId);
  const [artifacts, registries] = await Promise.all([
    Promise.all(unique(rounds, (round) => round.sha256).map((round) => artifactOf(stores, round))),
    Promise.all(
      unique(decisions, (decision) => decision.registryDigest).map((decision) =>
        registryOf(stores, decision.registryDigest),
      ),
    ),
  ]);
  return { gateId, run: runOf(job), rounds, artifacts, registries, decisions, events };
}

/** Somebody may decide between two reads: then what was decided and the log are read again. */
async function atOneMoment(stores: Stores, job: Job, gateId: string) {
  for (;;) {
    const state = await stores.reviews.state(job.id);
    const events = await chainOf(stores, job, gateId);
    const now = await stores.reviews.state(job.id);
    if (state === null || now === null) throw unknownGate(gateId);
    if (decidedIn(now) === decidedIn(state)) return { state, events };
  }
}

const runOf = ({ id, topology, correlationId, submittedBy, earlier }: Job): Proof['run'] => ({
  id,
  topology,
  correlationId,
  // What a proof holds is what it proves: a name for people is none of it.
  submittedBy: { identity: submittedBy.identity, assurance: submittedBy.assurance },
  ...(earlier.length === 0 ? {} : { earlier }),
});

const unique = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

async function artifactOf(
  stores: Stores,
  round: { readonly sha256: string; readonly mediaType: string; readonly artifactRef: string },
): Promise<ProofArtifact> {
  const bytes = await stores.artifacts.read(round.sha256);
  if (bytes === null)
    throw new KitError('KIT_ARTIFACT_CORRUPT', `the bytes of ${round.artifactRef} are no longer in the store`);
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  const isText = Buffer.from(text).equals(buffer);
  const { sha256, mediaType } = round;
  return isText
    ? { sha256, mediaType, encoding: 'utf8', content: text }
    : { sha256, mediaType, encoding: 'base64', content: buffer.toString('base64') };
}

/** The registry of a decision lies beside it by its digest, which the verifier takes anew. */
async function registryOf(stores: Stores, digest: string): Promise<RoleDirectory> {
  const bytes = await stores.blobs.get(digest);
  if (bytes === null)
    throw new KitError(
      'KIT_ARTIFACT_CORRUPT',
      `the role registry ${digest}, by which a decision was allowed, is no longer in the store`,
    );
  // Written by `registryText` alone, under the digest of its bytes.
  const { roles, identities } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Omit<RoleDirectory, 'digest'>;
  return { digest, roles, identities };
}

/** The run's log from its first event on, up to the last one that speaks of the gate. */
async function chainOf(stores: Stores, job: Job, gateId: string): Promise<readonly ProofEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await stores.events.readRun(job.id, events.at(-1)?.seq ?? 0, PAGE);
    events.push(...page);
    if (page.length < PAGE) break;
  }
  const last = events.findLastIndex((event) => 'gate_id' in event.payload && event.payload.gate_id === gateId);
  return events.slice(0, last + 1).map(toProofEvent);
}
