import type { StepOutcome } from '../../domain/journal.js';
import type { ExecutorValue } from '../executor-end.js';
import { sessionStep } from '../executor-sandbox.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { askAboutCall, askAboutDoubt } from './ask-about.js';
import { carryOutLaunch, type GatedDraft, type Launched } from './launch.js';
import type { Decided, LaunchValue } from './launch-value.js';
import { askTheQuestion } from './questions.js';
import { decidedOf, type Going, placeIn, placeOf } from './session-place.js';

/** Calls of one draft that people can be asked about: who asks for more goes round in circles. */
const MAX_ASKS = 50;

/**
 * A draft as a row of launches `s0`, `s1`, ... of the program, each a step of its own, with the
 * question to people as a step between two (docs/design/decisions.md#harness-calls). While they
 * decide nothing is resident: the session and the worktree are kept, and the next launch goes on
 * with them.
 */
export async function runLaunches(
  services: RunServices,
  draft: GatedDraft,
): Promise<StepOutcome<ExecutorValue> | Parked> {
  let going: Going = { kind: 'anew' };
  for (let number = 0; ; number += 1) {
    const key = `${draft.key}/s${number}`;
    const outcome = await runLaunch(services, { draft, key, number, going });
    const next = await goOn(services, { draft, key, number, going }, outcome);
    if ('parked' in next || 'status' in next) return next;
    going = next;
  }
}

/** What comes after a launch: the end of the draft, a question to people, or the next launch. */
async function goOn(
  services: RunServices,
  { draft, key, number, going }: Launched,
  outcome: StepOutcome<LaunchValue>,
): Promise<StepOutcome<ExecutorValue> | Parked | Going> {
  const { activation, executor } = draft;
  if (outcome.status === 'ok' && outcome.value.kind === 'asked') {
    const asked = outcome.value;
    if (number >= MAX_ASKS) return tooManyAsks(number);
    const { node } = activation;
    const answered =
      asked.call.kind === 'question'
        ? await askTheQuestion(services, { agentId: node.id, key, round: number, asked })
        : await askAboutCall(services, { node, key, round: number, asked });
    if (isParked(answered)) return answered;
    if (answered.status === 'failed' && answered.reason !== 'rejected') return answered;
    const decided: Decided =
      answered.status === 'ok'
        ? { asked, answer: 'approved', comment: answered.value.answer, ...inputOf(answered.value) }
        : { asked, answer: 'rejected', comment: answered.message };
    return { kind: 'decided', decided };
  }
  if (outcome.status === 'ok') return afterWork(services, { draft, number }, outcome.value);
  if (outcome.reason !== 'in_doubt' || executor.onInDoubt !== 'ask') return outcome;
  const notes = services.steps.rowOf(key)?.notes ?? {};
  const granted = notes.granted === undefined ? null : decidedOf(going);
  const place = placeIn(notes, placeOf(going));
  const answered = await askAboutDoubt(services, { agentId: activation.node.id, key, place, granted });
  if (isParked(answered)) return answered;
  if (!answered.goesOn) return outcome;
  // A grant that was not taken is still good.
  return { kind: 'doubt', from: place, decided: granted === null ? decidedOf(going) : answered.decided };
}

/**
 * A launch that put itself down at no call: its answer, or calls of the gateway that wait for
 * others.
 */
async function afterWork(
  services: RunServices,
  { draft, number }: Pick<Launched, 'draft' | 'number'>,
  value: LaunchValue,
): Promise<StepOutcome<ExecutorValue> | Parked | Going> {
  switch (value.kind) {
    case 'done':
      return { status: 'ok', value: { output: value.output, diff: value.diff } };
    case 'asked':
      throw new Error('people are asked about this call');
    case 'waits': {
      if (number >= MAX_ASKS) return tooManyAsks(number);
      const { settleWaiting } = await import('./settle-waiting.js');
      const { calls } = value;
      const parked = await settleWaiting(services, { ...draft, calls });
      return parked ?? { kind: 'answered', from: value, calls };
    }
  }
}

const inputOf = ({ input }: Pick<Decided, 'input'>): Pick<Decided, 'input'> => (input === undefined ? {} : { input });

const tooManyAsks = (number: number): StepOutcome<never> => ({
  status: 'failed',
  reason: 'executor.too_many_asks',
  message: `people were asked about ${number} calls of one session, which is as many as one may have`,
});

function runLaunch(services: RunServices, launch: Launched): Promise<StepOutcome<LaunchValue>> {
  const { draft, key, going } = launch;
  const { executor, activation } = draft;
  const decided = decidedOf(going);
  const call =
    decided === null ? null : { sha256: decided.asked.call.sha256, answer: decided.answer, ...inputOf(decided) };
  return services.steps.run<LaunchValue>(
    sessionStep(services, { key, activation, executor }, { goes_on: going.kind, call }),
    (context) => carryOutLaunch(services, launch, context),
  );
}
