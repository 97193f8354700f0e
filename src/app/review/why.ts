import { approversOf } from '../../domain/approvers.js';
import type { StoredEvent } from '../../domain/events.js';
import type { ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import { keptSessions } from '../../domain/kept-sessions.js';
import type { Stores } from '../../domain/ports/stores.js';
import { approvingPeople } from '../../govern/approval/approvers.js';
import { distinctPeople, isMember, namesOf, roleCalled } from '../../govern/approval/people.js';
import { isOpen } from '../../govern/approval/rules.js';
import { assertNever } from '../../lib/assert-never.js';
import type { GateDetails } from '../../view/gate-details.js';
import { withdrawnText } from '../../view/lines/withdrawn-text.js';
import { gateElsewhere, remoteReasons } from '../../view/situation/outage.js';
import type { Situation } from '../../view/situation/situation.js';
import { bearsOn, situationOf } from '../../view/situation/situation-of.js';
import { isUngated, warningOf } from '../../view/warnings.js';
import { findJob } from '../find-job.js';
import { stateOf } from './decide.js';
import { gateDetails, openGateDetails } from './gate-details-of.js';
import { gateCalled } from './named-items.js';
import type { WhyReport } from './review-app.js';

/**
 * The job behind a gate or a run, by its id or the beginning of it. Throws KIT_GATE_UNKNOWN,
 * KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS.
 */
export async function jobOf(
  stores: Stores,
  what: string,
): Promise<{ readonly job: Job; readonly gateId: string | null }> {
  if (!what.includes(':')) return { job: await findJob(stores, what), gateId: null };
  const { jobId, gateId } = await gateCalled(stores, what);
  return { job: await findJob(stores, jobId), gateId };
}

/** See `ReviewApp.why`. */
export async function explain(
  stores: Stores,
  roles: RoleDirectory,
  of: {
    readonly job: Job;
    readonly gateId: string | null;
    /** What it needs and this machine lacks. Default: nothing. */
    readonly lacking?: readonly string[];
    /** Who looks. */
    readonly identity?: string;
  },
): Promise<WhyReport> {
  const { job, gateId, lacking = [], identity } = of;
  const state = await stateOf(stores, job.id);
  const one = gateId === null ? null : gateDetails(state, gateId, roles);
  const states = gateId === null ? [state, ...(await statesBelow(stores, job))] : [state];
  const open = states.flatMap((each) => openGateDetails(each, roles));
  const gates = one !== null ? [one] : open.length > 0 ? open : allOf(state, roles);
  const items = states.flatMap((each) => each.items.filter((item) => item.kind !== 'role_task' && isOpen(item)));
  const events = await bearingEvents(stores, job);
  const approvers = approvingPeople(roles, items[0] === undefined ? [] : approversOf(items[0]));
  const waits = {
    approvers,
    readers: identity === undefined ? [] : namesOf(roles, identity),
    isWaiting: states.some((each) => each.items.some(isOpen)),
    autoResume: state.job.autoResume,
  };
  const situation = situationOf({
    job,
    gates: open,
    items,
    events,
    ...waits,
    successor: await successorOf(stores, job),
  });
  const reasons = [
    ...runReasons(job, state, situation),
    ...remoteReasons(job, events),
    ...(await keptReasons(stores, job)),
    ...lacking.map((lack) => `this machine cannot go on with it: ${lack}`),
    ...events.flatMap(ungatedReasons),
    ...gates.flatMap((gate) => gateReasons(gate, roles)),
    ...items.map(itemReason),
    ...state.items.flatMap((item) => {
      const gate = item.withdrawn && item.gateId !== null ? gateDetails(state, item.gateId, roles) : null;
      const said = gate?.resolutions ?? [];
      const why = withdrawnText(item, job, said);
      return why === null ? [] : [`item ${item.id} of ${item.agentId} was ${why}`];
    }),
  ];
  const elsewhere = gateElsewhere(events);
  return {
    ...{ job, gates, items, reasons, situation, facts: events.slice(-MAX_FACTS), autoResume: state.job.autoResume },
    ...(elsewhere === null ? {} : { gateElsewhere: elsewhere }),
  };
}

/** No chain of runs is followed further down; a run calls runs five levels deep at most. */
const MOST_LEVELS = 10;

/**
 * Reviews of the runs that this one has asked for and that hold it up: what people decide there is
 * what it waits for.
 */
async function statesBelow(stores: Stores, job: Job, level = 0): Promise<readonly ReviewState[]> {
  if (job.status !== 'deferred' || level >= MOST_LEVELS) return [];
  const below: ReviewState[] = [];
  for (const id of job.waitingOn.filter((waited) => JOB_ID.test(waited))) {
    const child = await stores.jobs.get(id);
    if (child?.callerJobId !== job.id) continue;
    below.push(await stateOf(stores, id), ...(await statesBelow(stores, child, level + 1)));
  }
  return below;
}

const JOB_ID = /^[0-9a-f]{12}$/;

/**
 * Newest runs of the topology among which the successor of a failed one is looked for: nobody asks
 * why of a run that is older than that.
 */
const LOOKED_AT = 200;

async function successorOf({ jobs }: Pick<Stores, 'jobs'>, { id, topology, status }: Job): Promise<Job | null> {
  if (status !== 'failed') return null;
  const isInPlace = (job: Job): boolean => job.parentJobId === id;
  return (await jobs.list({ topology: topology.replace(/@.*$/, ''), limit: LOOKED_AT })).find(isInPlace) ?? null;
}

const PAGE = 1000;
const MAX_FACTS = 12;

/** What of the log bears on where a run stands, and its last event. */
async function bearingEvents({ events }: Pick<Stores, 'events'>, job: Job): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  const waits = new Map<string, StoredEvent>();
  let last: StoredEvent | undefined;
  for (let after = 0; ; after = last?.seq ?? after) {
    const page = await events.readRun(job.id, after, PAGE);
    found.push(...page.filter(bearsOn));
    for (const event of page) noteWait(waits, event);
    last = page.at(-1) ?? last;
    if (page.length < PAGE) break;
  }
  const all = new Set([...found, ...waits.values(), ...(last === undefined ? [] : [last])]);
  return [...all].sort((a, b) => a.seq - b.seq);
}

/** Whatever a step tells next, it waits no more. */
function noteWait(waits: Map<string, StoredEvent>, event: StoredEvent): void {
  if (event.stepKey === null) return;
  if (event.type === 'step.waiting') waits.set(event.stepKey, event);
  else waits.delete(event.stepKey);
}

function allOf(state: ReviewState, roles: RoleDirectory): readonly GateDetails[] {
  return [...new Set(state.gates.map((gate) => gate.gateId))].flatMap((id) => gateDetails(state, id, roles) ?? []);
}

function ungatedReasons(event: StoredEvent): readonly string[] {
  const warning = warningOf(event);
  return warning !== null && isUngated(warning) ? [warning.text] : [];
}

function runReasons(job: Job, state: ReviewState, { code, cause }: Situation): readonly string[] {
  switch (job.status) {
    case 'deferred':
      return [deferredReason(job, state)];
    case 'stopped':
      return [
        // The error says by whom, where a person stopped it.
        job.error?.startsWith('stopped') === true
          ? `the run is ${job.error}`
          : `the run is stopped${job.error === null ? '' : `: ${job.error}`}`,
        `nothing can be decided before it is resumed: kit run --resume=${job.id}`,
      ];
    case 'pending':
    case 'queued':
      return [`the run can go on and waits for somebody to claim it, here with: kit run --resume=${job.id}`];
    case 'running':
      if (job.workerId !== null) return [`the run is executed by ${job.workerId}`];
      return [`no process executes the run now${code.startsWith('running.remote') ? '' : `: ${cause}`}`];
    case 'failed':
      return [
        `the run failed${job.reason === null ? '' : ` (${job.reason})`}${job.error === null ? '' : `: ${job.error}`}`,
      ];
    case 'completed':
      return ['the run is completed: it waits for nothing'];
    default:
      return assertNever(job.status);
  }
}

/** A run that nobody wakes by deciding waits for a resume once everything is decided. */
function deferredReason(job: Job, state: ReviewState): string {
  if (!state.job.autoResume && !state.items.some(isOpen))
    return `everything is decided; gates.auto_resume is off, so the run waits for: kit run --resume=${job.id}`;
  const waits = `the run waits for ${job.waitingOn.length === 0 ? 'a decision' : job.waitingOn.join(', ')}`;
  if (state.job.autoResume) return waits;
  return `${waits}; gates.auto_resume is off, so it goes on with kit run --resume=${job.id} alone`;
}

function gateReasons(gate: GateDetails, roles: RoleDirectory): readonly string[] {
  if (gate.withdrawn) return [`gate ${gate.gateId} was withdrawn`];
  if (gate.resolved) return [`gate ${gate.gateId} is ${gate.status}`];
  const acting = gate.actors.map(
    ({ role, scope, members }) => `${role} (${scope}): ${members.length === 0 ? 'nobody can' : members.join(' or ')}`,
  );
  const expiry = gate.expiresAt === null ? [] : [`gate ${gate.gateId} expires at ${gate.expiresAt}`];
  return [
    `gate ${gate.gateId} needs ${acting.join('; ')}`,
    ...excludedFrom(gate, roles),
    ...gate.stuck.map((why) => `gate ${gate.gateId} is stuck: ${why}`),
    ...expiry,
  ];
}

/** Authors whom a reader would expect among those who can act: they hold a role that is asked. */
function excludedFrom(gate: GateDetails, roles: RoleDirectory): readonly string[] {
  if (!gate.excludeAuthor) return [];
  return distinctPeople([gate.author.person, ...gate.earlierAuthors.map(({ person }) => person)]).flatMap((person) => {
    const held = gate.actors.filter(({ role }) => {
      const found = roleCalled(roles, role);
      return found !== null && isMember(roles, found, person);
    });
    const names = [...new Set(held.map(({ role }) => role))].join(' and ');
    return held.length === 0
      ? []
      : [`${person} may not decide gate ${gate.gateId} as ${names}: the policy excludes authors of the run`];
  });
}

/** Where the sessions of a run wait, and how it goes on where they are not. */
async function keptReasons({ runs }: Pick<Stores, 'runs'>, job: Job): Promise<readonly string[]> {
  if (job.needs.worktrees === undefined) return [];
  const kept = keptSessions(await runs.load(job.id));
  if (kept.length === 0) return [];
  return [
    ...kept.map(
      ({ agentId, worktree, home }) =>
        `the session of ${agentId ?? 'a harness'} waits in its worktree ${worktree} (${Object.values(home).join(', ')})`,
    ),
    `it goes on there; elsewhere its session begins anew, and approvals are asked again: kit resume ${job.id} --anew`,
  ];
}

const itemReason = (item: ReviewItem): string => `item ${item.id} needs a person: ${item.question ?? item.reason}`;
