import { addUsage } from '../domain/fold-usage.js';
import { DEFAULTS } from '../domain/generated/defaults.js';
import { handedOver } from '../domain/harness-call.js';
import type { Usage } from '../domain/job.js';
import type { StepRow } from '../domain/journal.js';
import type { ExecutorEvent, ExecutorGate, ExecutorRequest, ExecutorTools } from '../domain/ports/executor.js';
import { objectOf } from '../lib/json.js';
import { maybeNumberAt } from '../lib/read-json.js';
import type { Sandbox, SessionOwner } from './executor-sandbox.js';
import { canResume, resumePrompt } from './executor-sandbox.js';
import type { RunServices } from './services.js';
import type { StepContext } from './step-types.js';

/** What the executor of a session is asked to do. */
export function requestOf(services: RunServices, session: Session): ExecutorRequest {
  const { executor, activation, sandbox, context } = session;
  const adapter = executor.kind === 'harness' ? (services.snapshot.adapters[executor.ref]?.spec ?? null) : null;
  const resumes = sandbox.resumeToken !== null && adapter !== null && canResume(adapter);
  const budget = objectOf(executor.config.budget);
  const minutes = maybeNumberAt(budget, 'max_wall_clock_minutes');
  // An open tool call counts as activity (docs/design/execution.md#sessions).
  const idleSeconds = maybeNumberAt(budget, 'max_idle_seconds') ?? DEFAULTS['harness.budget'].max_idle_seconds;
  return {
    agentId: activation.node.id,
    // A session that goes on has been given its task.
    statement: resumes ? (session.further ?? resumePrompt(adapter)) : session.statement,
    ...(resumes && session.isBound !== true ? { freshStatement: session.statement } : {}),
    config: executor.config,
    adapter,
    sandboxRoot: sandbox.worktree.path,
    baseCommit: sandbox.worktree.baseCommit,
    ...(sandbox.worktree.companion === undefined ? {} : { companionDir: sandbox.worktree.companion }),
    resumeToken: sandbox.resumeToken,
    ...usedBefore(services, session),
    stepId: context.stepId,
    budget: {
      maxCostUsd: maybeNumberAt(budget, 'max_cost_usd'),
      maxTurns: maybeNumberAt(budget, 'max_turns'),
      maxWallClockMs: minutes === null ? null : minutes * 60_000,
      maxIdleMs: idleSeconds * 1000,
    },
  };
}

/** What earlier launches of the same session used, as it was counted. */
function usedBefore(
  { steps }: RunServices,
  { activation, sandbox: { resumeToken } }: Session,
): Pick<ExecutorRequest, 'usedBefore'> {
  let used: Usage | null = null;
  if (resumeToken === null) return {};
  for (const row of sessionRows(activation.key, (key) => steps.rowOf(key))) {
    if (row.usage === null || row.notes.session !== resumeToken) continue;
    used = used === null ? row.usage : addUsage(used, row.usage);
  }
  return used === null ? {} : { usedBefore: used };
}

/** Launches of an activation: one a draft, or with a gate as many as people were asked about. */
function* sessionRows(key: string, rowOf: (key: string) => StepRow | undefined): Generator<StepRow> {
  for (let draft = 0; ; draft += 1) {
    const whole = rowOf(`${key}/d${draft}/x`);
    let launch = whole ?? rowOf(`${key}/d${draft}/s0`);
    if (launch === undefined) return;
    for (let number = 1; launch !== undefined; number += 1) {
      yield launch;
      launch = whole === undefined ? rowOf(`${key}/d${draft}/s${number}`) : undefined;
    }
  }
}

/** `executor.config.env`: what the program is given of the environment by name. */
export async function variablesOf(
  { variables }: RunServices,
  { executor }: Session,
): Promise<Readonly<Record<string, string>>> {
  const names = executor.kind === 'harness' ? handedOver(executor.config) : [];
  return names.length === 0 || variables === undefined ? {} : variables(names);
}

export interface Session extends SessionOwner {
  /** What a session is told that begins. */
  readonly statement: string;
  /** What one is told that goes on; null = `resume.prompt` of its adapter. */
  readonly further: string | null;
  readonly context: StepContext;
  readonly sandbox: Extract<Sandbox, { kind: 'open' }>;
  /** Asked before each call of the program; absent: it is not. */
  readonly gate?: ExecutorGate;
  /** What people decided holds for its session alone: no other one may take its place. */
  readonly isBound?: boolean;
  /** What the program can call of kit; absent: nothing. */
  readonly tools?: ExecutorTools;
  /** The event as it is recorded; absent: as it is reported. */
  readonly named?: (event: ExecutorEvent) => ExecutorEvent;
  /** What its program reports and a step of the run reports already. */
  readonly isReportedElsewhere?: (event: ExecutorEvent) => boolean;
  /** Called with each event of the session, before it is recorded. */
  readonly onEvent?: (event: ExecutorEvent) => void;
}
