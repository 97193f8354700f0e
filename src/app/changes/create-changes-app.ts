import { agentsOf } from '../../compile/link/walk-agents.js';
import { KitError } from '../../domain/errors.js';
import { lastSessions } from '../../domain/fold-usage.js';
import type { Job } from '../../domain/job.js';
import type { MergedPatches, RepositoryChanges, WrittenPath } from '../../domain/ports/repository.js';
import type { Stores, WorkerHost } from '../../domain/ports/stores.js';
import { changesOf } from '../../govern/changes/changes-of.js';
import { heldPath, leadsOut } from '../../govern/changes/control-files.js';
import { applyRefusals } from '../../govern/changes/may-apply.js';
import { hintFor } from '../../lib/nearest.js';
import { utf8Text } from '../../lib/utf8.js';
import { decodeSnapshot } from '../../worker/snapshot.js';
import { findJob, noRunHere } from '../find-job.js';
import type { AppliedChanges, ApplyChanges, ChangesApp, ReadChanges, RunChanges } from './changes-app.js';

/** Real parts behind the use cases. */
export interface ChangesDeps {
  readonly host: WorkerHost;
  /**
   * Opens the store of a workspace without reading its YAML; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  readonly repository: () => Promise<RepositoryChanges>;
}

/** What harnesses changed, over parts that `boot` hands in. */
export function createChangesApp(deps: ChangesDeps): ChangesApp {
  const open = async ({ workspace, run }: Omit<ReadChanges, 'agent'>): Promise<{ stores: Stores; job: Job }> => {
    const stores = await deps.openStores(workspace);
    if (stores === null) throw noRunHere(run);
    // A run whose process died is looked at as what it is.
    await stores.jobs.sweep(deps.host);
    return { stores, job: await findJob(stores, run) };
  };
  return {
    read: async (ask) => {
      const { stores, job } = await open(ask);
      const all = (await changesIn(stores, job)).changes;
      const changes = ask.agent === null ? all : all.filter(({ agentId }) => agentId === ask.agent);
      if (changes.length > 0) return { job, changes };
      const agents = [...new Set(all.map(({ agentId }) => agentId))];
      throw new KitError('KIT_DIFF_UNKNOWN', `agent ${ask.agent} of run ${job.id} is not a harness that has worked`, {
        hint: hintFor(ask.agent ?? '', agents, { fallback: `Those that have: ${agents.join(', ')}` }),
      });
    },
    apply: async (ask) => {
      const { stores, job } = await open(ask);
      const { changes, state } = await changesIn(stores, job);
      const { topology } = await decodeSnapshot(stores.blobs, job);
      const gated = new Set(agentsOf(topology.root).flatMap(({ id, funnel }) => (funnel === null ? [] : [id])));
      const refusals = applyRefusals({ job, changes, gated, state, partial: ask.partial });
      if (refusals.length > 0) throw refused(job, refusals);
      const repository = await deps.repository();
      const merged = await repository.merge({
        repository: ask.workspace,
        patches: changes.map(({ agentId, diff, baseCommit }) => ({ label: agentId, diff, baseCommit })),
        onto:
          ask.branch === null
            ? { kind: 'working-tree' }
            : { kind: 'branch', name: ask.branch, message: messageOf({ job, changes }) },
      });
      if (merged.kind === 'conflict') throw conflict(job, ask.branch, merged);
      return write(ask, { job, changes }, merged);
    },
  };
}

async function changesIn(stores: Stores, job: Job) {
  const [rows, state] = await Promise.all([stores.runs.produced(job.id), stores.reviews.state(job.id)]);
  const sessions = lastSessions(rows);
  if (sessions.length === 0) throw new KitError('KIT_DIFF_UNKNOWN', `run ${job.id} recorded no diff`);
  if (state === null) throw new KitError('KIT_JOB_UNKNOWN', `there is no run ${job.id}`);
  const pruned = sessions.filter(({ row }) => row.prunedAt !== undefined);
  if (pruned.length > 0)
    throw new KitError('KIT_DIFF_UNKNOWN', `the journal of run ${job.id} was pruned on ${pruned[0]?.row.prunedAt}`, {
      hint: 'What a session changed is kept for as long as its results (`storage.retention`).',
    });
  const texts = new Map<string, string | null>();
  for (const { sha256 } of state.gates) {
    const bytes = texts.has(sha256) ? null : await stores.artifacts.read(sha256);
    if (bytes !== null) texts.set(sha256, utf8Text(bytes));
  }
  return { state, changes: changesOf(sessions, { state, artifact: (sha256) => texts.get(sha256) ?? null }) };
}

async function write(
  ask: ApplyChanges,
  { job, changes }: RunChanges,
  merged: Extract<MergedPatches, { kind: 'merged' }>,
): Promise<AppliedChanges> {
  try {
    const held = ask.force ? [] : merged.paths.flatMap(heldReason);
    if (held.length > 0) throw refused(job, held);
    const { commit } = await merged.write();
    return {
      job,
      changes,
      topLevel: merged.topLevel,
      paths: merged.paths,
      branch: ask.branch === null || commit === null ? null : { name: ask.branch, commit },
      missingBases: merged.missingBases,
      ungated: job.ungated,
    };
  } finally {
    await merged.discard();
  }
}

function heldReason({ path, linkTo }: WrittenPath): readonly string[] {
  const why = heldPath(path);
  if (why !== null) return [`${path} ${why}: --force writes it`];
  return linkTo !== null && leadsOut(path, linkTo)
    ? [`${path} is a link out of the repository, to ${linkTo}: --force writes it`]
    : [];
}

const refused = (job: Job, reasons: readonly string[]): KitError =>
  new KitError('KIT_APPLY_REFUSED', `the changes of run ${job.id} are not applied: ${reasons.join('; ')}`, {
    hint: `Nothing was written. Look at the changes with \`kit diff ${job.id}\`.`,
    data: { run_id: job.id, reasons },
  });

function conflict(
  job: Job,
  branch: string | null,
  { label, paths, detail, missingBases }: Extract<MergedPatches, { kind: 'conflict' }>,
): KitError {
  const where = paths.length === 0 ? '' : ` in ${paths.join(', ')}`;
  const missing =
    missingBases.length === 0
      ? ''
      : `; this repository does not have ${missingBases.join(', ')}, the commit that the work began with`;
  return new KitError(
    'KIT_APPLY_CONFLICT',
    `what agent ${label} changed does not fit what is there${where}${missing}`,
    {
      hint: `Nothing was written. ${wayOut(job, branch, missingBases)}`,
      data: { run_id: job.id, agent_id: label, paths, detail, missing_base_commits: missingBases },
    },
  );
}

function wayOut({ id }: Job, branch: string | null, missingBases: readonly string[]): string {
  if (missingBases.length > 0) return 'Fetch that commit (`git fetch origin <commit>`) and run the command again.';
  if (branch !== null) return `Two agents changed the same lines: look at each with \`kit diff ${id} AGENT\`.`;
  return `Make a branch of it, \`kit apply ${id} --branch NAME\`, and merge that with git.`;
}

/** Who reads the history later finds the run, and who signed which bytes. */
function messageOf({ job, changes }: RunChanges): string {
  const signed = changes.flatMap(({ signed: gate }) =>
    gate === null ? [] : gate.by.map((person) => `Approved-by: ${gitLine(person)} (gate ${gate.gateId})`),
  );
  const agents = [...new Set(changes.map(({ agentId }) => agentId))].join(', ');
  return [
    `Apply run ${job.id} of ${gitLine(job.topology)}`,
    '',
    `Changes of ${agents}.`,
    '',
    `Kit-Run: ${job.id}`,
    ...new Set(signed),
    '',
  ].join('\n');
}

const gitLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);
