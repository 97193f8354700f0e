import { type FiredTrigger, type HookAnswer, toWireJob } from '@kit-run/kit/command';
import { problemCode } from '@kit-run/kit/plugin';
import { DELIVERED, FIRED, toWire, type WireFired, type WireHookAnswer } from '@kit-run/kit/wire';

/** What came of a firing; codes as problem details spell them. */
export const toWireFired = (fired: FiredTrigger): WireFired =>
  toWire(FIRED, {
    ...fired,
    targets: fired.targets.map(({ refusal, ...target }) => ({
      ...target,
      refused: refusal === null ? null : { ...refusal, code: problemCode(refusal.code) },
    })),
  });

/** The body of a hook's answer (docs/triggers.md#webhook). */
export const toWireHook = (answer: HookAnswer): WireHookAnswer =>
  answer.kind === 'run' ? toWireJob(answer.job) : toWire(DELIVERED, { ...answer, delivered: true });
