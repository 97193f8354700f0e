import type { PreparedRun } from '../../src/app/submit/prepare-run.js';
import type { Job, RunRequest } from '../../src/domain/job.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { RunSnapshot } from '../../src/domain/snapshot.js';
import { sha256Hex } from '../../src/lib/sha256.js';

/** A prepared run as `prepareRun` makes it, for a snapshot that no YAML stands behind. */
export function submission(
  snapshot: RunSnapshot,
  recover: Job['recover'],
): { readonly prepared: PreparedRun; readonly request: RunRequest } {
  const snapshotBytes = new TextEncoder().encode(JSON.stringify(snapshot));
  const { name, version, root } = snapshot.topology;
  const submittedBy = { identity: 'tester', assurance: 'asserted' } as const;
  const request: RunRequest = {
    topology: name,
    input: 'the task',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy,
    source: 'cli',
    timeoutMs: null,
    recover,
  };
  const job: PreparedRun['job'] = {
    topology: name,
    version,
    input: 'the task',
    correlationId: null,
    labels: {},
    parentJobId: null,
    callerJobId: null,
    source: 'cli',
    submittedBy,
    jobClass: 'model',
    priority: 0,
    engine: ENGINE,
    needs: { plugins: {}, adapters: {} },
    snapshot: sha256Hex(snapshotBytes),
    recover,
    timeoutMs: null,
    attachments: [],
    traceParent: null,
  };
  // submitRun reads name and version of the topology; there is no artifact behind it here.
  const topology = {
    name,
    version,
    description: null,
    root,
    inputSchema: null,
    locks: [],
  } as unknown as PreparedRun['topology'];
  return {
    request,
    prepared: {
      topology,
      snapshot,
      snapshotBytes,
      job,
      attachments: [],
      knowledge: [],
      inputSchemaDigest: null,
      labels: { organisation: null, team: null, annotations: {} },
      author: null,
      warnings: [],
      advice: [],
      untrusted: [],
    },
  };
}
