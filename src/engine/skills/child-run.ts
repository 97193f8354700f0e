import type { Job } from '../../domain/job.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { ChildRuns } from '../../domain/ports/child-runs.js';
import { budgetLeft } from '../../govern/limits.js';
import { childIdOf } from '../derive.js';
import type { Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepContext, StepEnd } from '../step-types.js';
import { Unfinished } from '../unfinished.js';
import type { AgentCall, SkillCall } from './skill-call.js';

/** Runs below runs: a topology that calls itself ends here, and not at a bill. */
const MAX_DEPTH = 5;

type Answer = StepEnd<{ output: Json }>;

/**
 * The child is asked for once, whatever crashes and resumes lie in between: its id derives from the
 * call. Until it has come to an end the call is parked, so that the caller holds no slot that the
 * child may need (docs/design/journal.md#waiting).
 */
export async function runTopology(
  services: RunServices,
  { call, agent, context }: AgentCall,
): Promise<Answer | Parked> {
  const { children } = services;
  const topology = agent.topology ?? '';
  if (children === undefined)
    return failedEnd('child_runs_unavailable', 'this process cannot run a topology for another run');
  const id = childIdOf(services.jobId, call.key);
  const known = await children.get(id);
  if (known !== null) return answerOf(children, known, context);
  if ((await children.depth()) >= MAX_DEPTH)
    return failedEnd('child_too_deep', `runs call runs ${MAX_DEPTH} levels deep at most`);
  // Noted before there is a row: whoever ends this run finds what it has asked for.
  await context.note({ child: id });
  const input = inputOf(call);
  const budget = budgetLeft(services.snapshot.limits, services.steps.deps.session.spent);
  return answerOf(
    children,
    await children.submit({ id, key: call.key, topology, input, timeoutMs: agent.timeoutMs, budget }),
    context,
  );
}

/**
 * Text alone is handed on as text: so a model writes it for a topology that asks for nothing else.
 */
export function inputOf({ skill, input }: SkillCall): Json {
  const [only, ...others] = Object.keys(input);
  if (skill.inputs !== null || others.length > 0) return input;
  return only === undefined ? '' : only === 'input' ? (input.input ?? '') : input;
}

async function answerOf(children: ChildRuns, child: Job, context: StepContext): Promise<Answer | Parked> {
  switch (child.status) {
    case 'completed':
      return withUsage(child, { outcome: { status: 'ok', value: { output: outputOf(child.output ?? '') } } });
    case 'failed':
      return withUsage(child, failedEnd('child_failed', child.error ?? `run ${child.id} failed`, factsOf(child)));
    case 'stopped':
      // One that died, or was stopped because its caller was, goes on with its caller; what a
      // person has stopped stays so.
      if (isStoppedByPerson(child))
        return withUsage(
          child,
          failedEnd('child_stopped', child.error ?? `run ${child.id} was stopped`, factsOf(child)),
        );
      if (hasStoppedItself(child) && context.notes.stopped_with !== child.attempt) {
        await context.note({ stopped_with: child.attempt });
        throw new Unfinished(
          'child_stopped',
          `run ${child.id} of ${child.topology} was stopped: ${child.error ?? child.reason}`,
        );
      }
      await children.goOn(child.id);
      return underWay(child);
    case 'deferred':
      return {
        parked: [
          { id: child.id, text: `run ${child.id} of ${child.topology} is ${child.error ?? 'waiting for people'}` },
        ],
      };
    case 'pending':
    case 'queued':
    case 'running':
      return underWay(child);
  }
}

/**
 * What it and the runs below it have used is part of what the caller has used: limits of the caller
 * hold for all of it.
 */
const withUsage = ({ usage }: Job, end: Answer): Answer => (usage === null ? end : { ...end, usage });

const underWay = (child: Job): Parked => ({
  parked: [{ id: child.id, text: `run ${child.id} of ${child.topology}`, isUnderWay: true }],
});

const isStoppedByPerson = ({ stopRequestedBy, callerJobId }: Job): boolean =>
  stopRequestedBy !== null && stopRequestedBy !== `run ${callerJobId}`;

/** Ends of a child that say nothing about whether it can go on. */
const CUT_OFF: readonly (string | null)[] = [null, 'stop_requested', 'process_died', 'interrupted'];

/**
 * It cannot go on as things are (another version recorded it, what it needs is gone): set going at
 * once, it would stop again, and wake its caller, without end. So the caller stops with it; who
 * resumes the caller has seen why, and the child is set going once more.
 */
const hasStoppedItself = ({ reason, stopRequestedBy }: Job): boolean =>
  stopRequestedBy === null && !CUT_OFF.includes(reason);

const factsOf = ({ id, reason }: Job): JsonObject => ({ job: id, reason });

/** A structured output lies in the row as text. */
function outputOf(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
