import { isKitError } from '../../domain/errors.js';
import type { ServerCall, ToolAnswer, ToolServer } from '../../domain/ports/tools.js';
import { frozen, must, resultOf, type Settled, settled, textOf } from './case.js';
import { conformanceOf } from './common.js';
import { watchEffects } from './effects.js';
import type { PlayedServer } from './played-server.js';
import { answerProblem, toolProblem } from './tool-shape.js';
import { type Known, type Stage, type Sub, stageOf, type ToolSourceFixtures } from './tool-source-stage.js';

const NO_SERVER = 'no `servers` were given';

const callOf = ({ tool, input = {} }: Known, more: Partial<ServerCall> = {}): ServerCall => ({
  tool,
  input,
  stepId: 'contract-step',
  traceParent: null,
  timeoutMs: 60_000,
  maxBytes: 1024 * 1024,
  ...more,
});

const answering = ({ replies }: Known): PlayedServer => ({ kind: 'answers', replies });
/** The server with all its replies but the one to calls. */
const silentOnCalls = ({ replies, replyToCall }: Known): PlayedServer => ({
  kind: 'answers',
  replies: replies.filter((reply) => reply.to !== replyToCall),
});

/** Runs a check on every server that is known. */
async function onEach(subject: Sub, check: (known: Known) => Promise<void>): Promise<string | null> {
  const { servers = [] } = subject.fixtures;
  for (const known of servers) await check(known);
  return servers.length === 0 ? NO_SERVER : null;
}

/** Opens a server that answers, and closes it after the work. */
async function withServer(stage: Stage, work: (server: ToolServer) => Promise<void>): Promise<void> {
  const { world, stop } = stage;
  const server = await resultOf(stage.open, world.deadlineMs, 'open');
  try {
    await work(server);
  } finally {
    stop.abort();
    await settled(() => server.close(), world.deadlineMs, 'close');
  }
}

function mustBeRefusal(
  outcome: Settled<unknown>,
  code: string,
  what: string,
): asserts outcome is Extract<Settled<unknown>, { how: 'error' }> {
  must(outcome.how === 'error', `${what} succeeded`);
  must(isKitError(outcome.error) && outcome.error.code === code, `${what} threw ${textOf(outcome.error)}, not ${code}`);
}

const sentOf = ({ error }: { readonly error: unknown }): unknown => (isKitError(error) ? error.data.sent : undefined);

const listsTools = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const stage = await stageOf(subject, known, answering(known));
    await withServer(stage, async (server) => {
      const tools = await resultOf(() => server.tools(), stage.world.deadlineMs, 'tools');
      const problem = tools.map(toolProblem).find((one) => one !== null) ?? null;
      must(problem === null, `tools gave ${problem}`);
      must(
        tools.some(({ name }) => name === known.tool),
        `tools gave no ${known.tool}`,
      );
    });
  });

const answersCalls = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const stage = await stageOf(subject, known, answering(known));
    await withServer(stage, async (server) => {
      const answer: ToolAnswer = await resultOf(
        () => server.call(frozen(callOf(known)), stage.stop.signal),
        stage.world.deadlineMs,
        'call',
      );
      const problem = answerProblem(answer);
      must(problem === null, `call gave ${problem}`);
    });
  });

const refusesWithout = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const { world, open } = await stageOf(subject, known, { kind: 'missing' });
    mustBeRefusal(await settled(open, world.deadlineMs, 'open'), 'KIT_TOOL_SERVER_FAILED', 'open');
  });

const givesUp = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const { world, open, stop, heard } = await stageOf(subject, known, { kind: 'silent' });
    void heard('').then(() => stop.abort());
    mustBeRefusal(await settled(open, world.deadlineMs, 'open'), 'KIT_TOOL_SERVER_FAILED', 'open');
  });

/** Calls a server that answers everything else; `then` happens once the call has been sent. */
const unanswered = (
  subject: Sub,
  then: (stage: Stage, cancel: AbortController) => Promise<void>,
  more: Partial<ServerCall> = {},
): Promise<string | null> =>
  onEach(subject, async (known) => {
    const stage = await stageOf(subject, known, silentOnCalls(known));
    await withServer(stage, async (server) => {
      const cancel = new AbortController();
      const calling = settled(() => server.call(callOf(known, more), cancel.signal), stage.world.deadlineMs, 'call');
      await Promise.race([stage.heard(known.tool), calling]);
      await then(stage, cancel);
      const outcome = await calling;
      mustBeRefusal(outcome, 'KIT_TOOL_CALL_FAILED', 'a call that was not answered');
      must(sentOf(outcome) === true, 'its `data.sent` is not true, although the server may have done it');
    });
  });

const refusesLarge = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const stage = await stageOf(subject, known, answering(known));
    await withServer(stage, async (server) => {
      const large = await settled(
        () => server.call(callOf(known, { maxBytes: 1 }), stage.stop.signal),
        stage.world.deadlineMs,
        'call',
      );
      mustBeRefusal(large, 'KIT_TOOL_CALL_FAILED', 'a call that was answered with more than it allows');
    });
  });

const startsThroughContext = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const watch = watchEffects();
    try {
      const stage = await stageOf(subject, known, answering(known));
      await withServer(stage, async () => undefined);
      must(
        watch.seen().length === 0,
        `it started ${watch.seen().join(', ')} past its context: nobody would end it with the run`,
      );
    } finally {
      watch.stop();
    }
  });

const closesTwice = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    const { world, open, played } = await stageOf(subject, known, answering(known));
    const server = await resultOf(open, world.deadlineMs, 'open');
    for (const time of ['first', 'second']) await resultOf(() => server.close(), world.deadlineMs, `the ${time} close`);
    must(
      played.every(({ isOver }) => isOver()),
      'a process was left when it was closed',
    );
  });

const hidesSecrets = (subject: Sub): Promise<string | null> =>
  onEach(subject, async (known) => {
    for (const server of [answering(known), { kind: 'missing' }, { kind: 'broken' }] as const) {
      const stage = await stageOf(subject, known, server);
      const outcome = await settled(stage.open, stage.world.deadlineMs, 'open');
      stage.stop.abort();
      if (outcome.how === 'value') await settled(() => outcome.value.close(), stage.world.deadlineMs, 'close');
      const error = outcome.how === 'error' ? outcome.error : null;
      const data = isKitError(error) ? error.data : {};
      stage.world.mustHideSecrets({
        'an error': error,
        'the data of an error': data,
        'a command line': stage.spawned.map(({ argv }) => argv),
      });
    }
  });

const cancelled = async (_stage: Stage, cancel: AbortController): Promise<void> => cancel.abort();
const late = async ({ world }: Stage): Promise<void> => void (await world.clock.advance(1_000));

/** The contract of `toolSources`: what a run relies on. Cases run one after the other. */
export const toolSourceConformance = conformanceOf<'toolSources', ToolSourceFixtures>('toolSources', {
  'lists the tools of its server': listsTools,
  'answers a call with an answer of the known shape': answersCalls,
  'refuses a server that cannot be started or reached': refusesWithout,
  'gives up a server that never answers when the run is over': givesUp,
  'fails a call that is not answered in its time': (subject) => unanswered(subject, late, { timeoutMs: 1_000 }),
  'fails a call that is stopped': (subject) => unanswered(subject, cancelled),
  'fails a call whose answer is larger than it allows': refusesLarge,
  'starts processes and connections through its context alone': startsThroughContext,
  'can be closed twice, and leaves no process': closesTwice,
  'shows no secret in an error, its log or a command line': hidesSecrets,
});
