import {
  type Clock,
  type ExecutorContext,
  type ExecutorRequest,
  type ExecutorResult,
  elapsedMs,
  GATEWAY,
  type JsonObject,
  type ProcessResult,
} from '@kit-run/kit/plugin';
import type { AcpHost, Conversation } from '../acp/conversation.js';
import type { AdapterSpec } from '../adapter/spec.js';
import type { OpenGate } from '../gate/open-gate.js';
import type { OpenTools } from '../gateway/open-tools.js';
import type { ToolFiles } from '../gateway/tool-files.js';
import { type Breach, conclude } from '../interpret/conclude.js';
import { flush, fold, type HarnessState, INITIAL } from '../interpret/fold.js';
import { interpretLine } from '../interpret/line.js';
import type { MappedEvent } from '../interpret/mapped-event.js';
import { sinceEarlier } from '../interpret/usage.js';
import type { LaunchPlan } from '../launch/plan.js';
import { type Activity, idleFor, reportSilence, spentBudget } from './guard.js';
import { failed } from './refuse.js';

/** The longest line that is read (docs/design/execution.md#sessions). */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const STDERR_TAIL_BYTES = 16 * 1024;
const SILENCE_MS = 60_000;
const LEFT = { signal: null, ended: null } as const;

export interface HarnessRun {
  readonly adapter: AdapterSpec;
  readonly plan: LaunchPlan;
  readonly request: ExecutorRequest;
  readonly context: ExecutorContext;
  /** Directory of the work, as the program sees it. */
  readonly cwd: string;
  /** Null: the program asks nobody. */
  readonly gate: OpenGate | null;
  /** Kit's own tools, and where the program finds them; null: it has none. */
  readonly tools: { readonly open: OpenTools; readonly files: ToolFiles } | null;
}

/**
 * True when the program itself could not be started. A cause may be an error or the bare facts of
 * one.
 */
function isMissingProgram(error: unknown): boolean {
  for (
    let current = error;
    typeof current === 'object' && current !== null;
    current = 'cause' in current ? current.cause : null
  ) {
    if ('code' in current && current.code === 'ENOENT') return true;
  }
  return false;
}

/** A run of an adapter that reads lines never loads the protocol. */
async function openConversation(
  { adapter, request, cwd, gate, tools }: HarnessRun,
  host: AcpHost,
): Promise<Conversation> {
  const { Conversation } = await import('../acp/conversation.js');
  const { statement, resumeToken: session } = request;
  return new Conversation(
    {
      statement,
      session,
      anew: request.freshStatement ?? null,
      cwd,
      mcpServers: tools === null || takesServersAtLaunch(adapter) ? [] : [serverOf(tools.files)],
      gate,
      tools: tools?.open ?? null,
    },
    host,
  );
}

/** Its command line tells it of kit's tools, so its sessions need not. */
const takesServersAtLaunch = ({ launch }: AdapterSpec): boolean =>
  launch.optionalArgs.some(({ when }) => when.startsWith('task.mcp_'));

/** Kit as a server of a session of ACP. */
const serverOf = ({ command, args }: ToolFiles): JsonObject => ({ name: GATEWAY, command, args: [...args], env: [] });

const modelOf = ({ config }: ExecutorRequest): string => (typeof config.model === 'string' ? config.model : '');

/** A call of which the gate was never asked, or which it did not let through. */
const isUngoverned = (gate: OpenGate | null, event: MappedEvent): boolean =>
  gate !== null && event.type === 'tool_call' && !gate.isAnnounced(event);

/** What people decided about belongs to one session: an approval of it is good in no other. */
const isOtherSession = ({ gate, request }: HarnessRun, event: MappedEvent): boolean =>
  gate !== null &&
  request.resumeToken !== null &&
  request.freshStatement === undefined &&
  event.type === 'session' &&
  event.sessionId !== request.resumeToken;

/** What the session has reported so far, recorded as it comes and held against its budget. */
class Reporting {
  readonly #run: HarnessRun;
  readonly #activity: Activity;
  readonly #breach: (why: Breach) => void;
  #state: HarnessState = INITIAL;

  constructor(run: HarnessRun, activity: Activity, breach: (why: Breach) => void) {
    this.#run = run;
    this.#activity = activity;
    this.#breach = breach;
  }

  async report(event: MappedEvent): Promise<void> {
    const { adapter, context, request } = this.#run;
    if (adapter.isOpaque && event.type === 'usage') return;
    if (isOtherSession(this.#run, event)) return this.#breach('other_session');
    const counted = event.type === 'usage' ? sinceEarlier(event, request.usedBefore) : event;
    const folded = fold(this.#state, counted);
    this.#state = folded.state;
    this.#activity.openCalls = Object.keys(this.#state.openCalls).length;
    for (const recorded of folded.events) await context.emit(recorded);
    const spent = spentBudget(this.#state, request.budget, { prices: adapter.prices, model: modelOf(request) });
    if (spent !== null) this.#breach(spent);
  }

  async end(): Promise<HarnessState> {
    const last = flush(this.#state);
    for (const recorded of last.events) await this.#run.context.emit(recorded);
    return last.state;
  }
}

/**
 * Reads the stream to its end, whatever it says: results may come twice, and only the end is the
 * end.
 */
async function readLines(
  { adapter, gate }: HarnessRun,
  lines: AsyncIterable<string>,
  to: { readonly reporting: Reporting; readonly breach: (why: Breach) => void },
): Promise<void> {
  for await (const line of lines) {
    for (const event of interpretLine(adapter, line)) {
      if (isUngoverned(gate, event)) to.breach('ungoverned');
      await to.reporting.report(event);
    }
  }
}

/** The lines, and when the last of them came. */
async function* watched(
  lines: AsyncIterable<string>,
  { activity, clock }: { readonly activity: Activity; readonly clock: Clock },
): AsyncGenerator<string> {
  for await (const line of lines) {
    activity.lastLineAt = elapsedMs(clock);
    yield line;
  }
}

/** How long a program that has answered may take to go by itself once its stdin is closed. */
const LEAVE_MS = 2000;

/**
 * Starts the harness, reads it to EOF under its budgets, and says what came of it. Never throws for
 * what a harness does.
 */
export async function runHarness(run: HarnessRun): Promise<ExecutorResult> {
  const { adapter, plan, request, context } = run;
  const stop = new AbortController();
  const watch = new AbortController();
  const activity: Activity = {
    lastLineAt: elapsedMs(context.clock),
    openCalls: 0,
    ownCalls: () => run.tools?.open.open ?? 0,
  };
  let broken: Breach | null = null;
  const breach = (why: Breach): void => {
    // A call that was made all the same is worse than whatever ended the session.
    broken = why === 'ungoverned' ? why : (broken ?? why);
    stop.abort();
  };
  const reporting = new Reporting(run, activity, breach);
  let isOver = false;
  const conversation =
    adapter.format === 'acp'
      ? await openConversation(run, {
          report: (event) => reporting.report(event),
          stop: breach,
          over: () => {
            isOver = true;
            context.clock.sleep(LEAVE_MS, watch.signal).then(
              () => stop.abort(),
              () => {},
            );
          },
        })
      : null;
  const child = context.spawn(
    {
      argv: plan.argv,
      cwd: request.sandboxRoot,
      env: plan.env,
      stdin: plan.stdin,
      ...(conversation === null ? {} : { stdinParts: conversation.outgoing }),
      maxLineBytes: MAX_LINE_BYTES,
      stderrTailBytes: STDERR_TAIL_BYTES,
      idleTimeoutMs: null,
      timeoutMs: request.budget.maxWallClockMs,
      maxOutputBytes: null,
      ...(plan.afterwards === undefined ? {} : { afterwards: plan.afterwards }),
    },
    stop.signal,
  );
  void run.gate?.isOver.then(() => breach('deferred'));
  idleFor(request.budget.maxIdleMs, activity, context.clock, watch.signal).then(
    () => breach('idle'),
    () => {},
  );
  reportSilence(SILENCE_MS, { activity, clock: context.clock, signal: watch.signal }, (text) =>
    context.emit({ type: 'message', role: 'warning', text }),
  ).catch(() => {});
  // Both are awaited below; a failed start must not surface as an unhandled rejection while lines
  // are read.
  const done: Promise<ProcessResult | unknown> = child.done.catch((error: unknown) => error);
  try {
    const lines = watched(child.lines, { activity, clock: context.clock });
    await (conversation === null ? readLines(run, lines, { reporting, breach }) : conversation.speak(lines));
    const state = await reporting.end();
    await done;
    return conclude(adapter, state, {
      // A program that has answered is let go: how it goes says nothing of its work.
      end: isOver ? { ...(await child.done), ...LEFT, exitCode: adapter.successExitCode } : await child.done,
      breach: broken,
      answers: run.gate?.answers ?? null,
      model: modelOf(request),
    });
  } catch (error) {
    stop.abort();
    await done;
    if (isMissingProgram(error)) return failed('command_not_found', `the program ${plan.argv[0]} is not on PATH`);
    throw error;
  } finally {
    watch.abort();
  }
}
