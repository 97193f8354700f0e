import { agentsOf } from '../../compile/link/walk-agents.js';
import { isKitError, KitError } from '../../domain/errors.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Workspace } from '../../domain/workspace.js';
import { ASK, askText } from '../../prompts/ask.js';
import type { Answer } from '../../view/lines/answer-text.js';
import { eventText } from '../../view/lines/event-text.js';
import { findJob, noRunHere } from '../find-job.js';
import type { StartRun } from '../runs/runs-app.js';
import { type AskApp, MAX_EVENTS, type Question } from './ask-app.js';

/** Real parts behind the use case. */
export interface AskDeps {
  readonly loadWorkspace: (workspace: string) => Promise<Workspace>;
  /** Null: nothing was ever run there. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /** Submits a run and executes it to its end, or until it parks. */
  readonly execute: (start: StartRun) => Promise<Job>;
}

/** Newest runs that are looked at when none is named. */
const RUNS = 5;

/** The use case over parts that `boot` hands in. */
export function createAskApp(deps: AskDeps): AskApp {
  return {
    ask: async (question) => {
      if (question.question.trim() === '')
        throw new KitError('KIT_USAGE', 'the question is empty', { hint: 'Write kit ask "<question>".' });
      const workspace = await deps.loadWorkspace(question.workspace);
      const jobs = await jobsOf(await deps.openStores(question.workspace), question);
      const facts = [...definitionOf(workspace), ...jobs.facts];
      const missing = jobs.jobs.length === 0 ? ['nothing was ever run in this workspace'] : jobs.missing;
      const nothing: Answer = { facts, missing, answer: null, problem: null, runId: null };
      if (question.offline) return nothing;
      const topology = jobs.jobs[0]?.topology ?? [...workspace.topologies.values()][0]?.name;
      if (topology === undefined)
        return { ...nothing, problem: 'the workspace has no topology whose model could be asked' };
      try {
        const job = await deps.execute(startOf(question, { topology, facts, missing }));
        if (job.status === 'completed') return { ...nothing, answer: job.output ?? '', runId: job.id };
        return {
          ...nothing,
          problem: job.error ?? `the run that should have answered is ${job.status}`,
          runId: job.id,
        };
      } catch (error) {
        if (!isKitError(error)) throw error;
        return {
          ...nothing,
          problem: `${error.code}: ${error.message}${error.hint === undefined ? '' : `. ${error.hint}`}`,
        };
      }
    },
  };
}

function startOf(
  { workspace, question, submittedBy }: Question,
  of: { topology: string; facts: readonly string[]; missing: readonly string[] },
): StartRun {
  return {
    workspace,
    topology: of.topology,
    input: askText(question, of),
    attachments: [],
    correlationId: null,
    labels: { kit_ask: 'true' },
    supersedes: null,
    submittedBy,
    timeoutMs: null,
    trust: [],
    answer: { system: ASK },
  };
}

/** What the workspace is made of, a line an artifact. */
function definitionOf({ topologies, skills, id }: Workspace): readonly string[] {
  const trees = [...topologies.values()].map(({ name, version, root }) => {
    const agents = [root, ...agentsOf(root).filter((node) => node !== root)].map(
      ({ id: agent, executor, skills: held, funnel }) =>
        `${agent} (${executor.kind}${held.length === 0 ? '' : `, skills ${held.join(', ')}`}${funnel === null ? '' : `, gate ${funnel}`})`,
    );
    return `topology ${name}@${version}: ${agents.join('; ')}`;
  });
  return [
    `workspace ${id}`,
    ...trees,
    ...[...skills.values()].map((skill) => `skill ${skill.id}: ${skill.description}`),
  ];
}

interface FoundJobs {
  readonly jobs: readonly Job[];
  readonly facts: readonly string[];
  readonly missing: readonly string[];
}

async function jobsOf(stores: Stores | null, { run }: Question): Promise<FoundJobs> {
  if (stores === null) {
    if (run !== null) throw noRunHere(run);
    return { jobs: [], facts: [], missing: [] };
  }
  // What earlier questions were answered with is not evidence.
  const newest = async () =>
    (await stores.jobs.list({ limit: RUNS * 4 })).filter(({ labels }) => labels.kit_ask === undefined).slice(0, RUNS);
  const jobs = run === null ? await newest() : [await findJob(stores, run)];
  const share = Math.floor(MAX_EVENTS / Math.max(1, jobs.length));
  const tails = await Promise.all(jobs.map((job) => newestEvents(stores, job, share)));
  return {
    jobs,
    facts: jobs.flatMap((job, index) => [rowText(job), ...(tails[index]?.lines ?? [])]),
    missing: tails.flatMap(({ left }, index) =>
      left === 0 ? [] : [`the first ${left} events of run ${jobs[index]?.id}`],
    ),
  };
}

const rowText = (job: Job): string =>
  `run ${job.id} of ${job.topology}: ${job.status}${job.reason === null ? '' : ` (${job.reason})`}${job.error === null ? '' : `, ${job.error}`}, submitted by ${job.submittedBy.identity} at ${job.createdAt}`;

const PAGE = 1000;

async function newestEvents(
  { events }: Stores,
  job: Job,
  most: number,
): Promise<{ readonly lines: readonly string[]; readonly left: number }> {
  let lines: readonly string[] = [];
  let count = 0;
  for (let after = 0; ; ) {
    const page = await events.readRun(job.id, after, PAGE);
    count += page.length;
    lines = [
      ...lines,
      ...page.map(
        (event) =>
          `run ${job.id} event ${event.seq} ${event.timestamp} ${event.agentId ?? '-'}: ${eventText(event).text}`,
      ),
    ].slice(-most);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { lines, left: count - lines.length };
    after = last.seq;
  }
}
