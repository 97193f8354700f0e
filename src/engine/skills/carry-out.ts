import { isKitError } from '../../domain/errors.js';
import type { StepOutcome } from '../../domain/journal.js';
import type { Down } from '../outage-patience.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { thrownEnd } from '../step-ends.js';
import { StepFailure } from '../step-failure.js';
import type { StepContext, StepEnd, StepSpec } from '../step-types.js';
import { runCommand } from './command.js';
import { runPrompt } from './llm-prompt.js';
import { runTool, type ToolRan } from './mcp-tool.js';
import type { PreparedCall } from './prepare-call.js';
import type { SkillCall, SkillResult } from './skill-call.js';
import type { ToolValue } from './tool-result.js';

type SkillValue = ToolValue;

/** Judges, shortens and reports what a call came to. */
export type Finish = (end: StepEnd<SkillValue>, isCached?: boolean) => Promise<StepEnd<SkillValue>>;

/** A call that may be made. */
export interface Carry {
  readonly prepared: PreparedCall;
  readonly spec: StepSpec;
  readonly finish: Finish;
  /** How a panel asks its members: the way of every call. */
  readonly ask: (services: RunServices, asked: SkillCall) => Promise<SkillResult | Parked>;
}

/** What is known of the last attempt beside its end. */
interface Facts {
  readonly isCached: () => boolean;
  /** The other side is down, and nothing came of it. */
  readonly down: () => Down | null;
}

const NO_FACTS: Facts = { isCached: () => false, down: () => null };

type Attempt = (bounded: RunServices, again: SkillCall, context: StepContext) => Promise<StepEnd<SkillValue> | Parked>;

/** The implementation of a skill, within its constraints. */
export function carryOut(
  services: RunServices,
  { prepared, spec, finish, ask }: Carry,
): Promise<StepOutcome<SkillValue> | Parked> {
  const { call } = prepared;
  const { implementation } = call.skill;
  const attempts = (run: Attempt, context: StepContext) =>
    orFailed(() => inBounds(services, call, (bounded, again) => run(bounded, again, context)));
  /** What is carried out outside: it comes to an end, and is in doubt after a crash. */
  const effect = (run: Attempt, { isCached, down }: Facts = NO_FACTS) =>
    services.steps.run<SkillValue>(spec, async (context) => {
      const end = ended(await attempts(run, context));
      const isDown = down();
      if (isDown !== null) await waitFor(services, { call, context, down: isDown });
      return finish(end, isCached());
    });
  /** What holds other steps: it may come to no end yet. */
  const hold = (run: Attempt) =>
    services.steps.scope<SkillValue>(spec, async (context) => {
      const end = await attempts(run, context);
      return isParked(end) ? end : finish(end);
    });
  switch (implementation.type) {
    case 'command':
      return effect((bounded, again, context) =>
        runCommand(bounded, { call: again, command: implementation.command, context }),
      );
    case 'mcp_tool': {
      let last: Pick<ToolRan, 'isCached' | 'down'> = { isCached: false, down: null };
      const run: Attempt = async (bounded, again, context) => {
        last = { isCached: false, down: null };
        const done = await runTool(bounded, { ...prepared.tool(), key: again.key, context });
        last = done;
        return done.end;
      };
      return effect(run, { isCached: () => last.isCached, down: () => last.down });
    }
    case 'knowledge':
      return effect(async (bounded, again) =>
        (await import('./search-knowledge.js')).searchKnowledge(bounded, { call: again, base: implementation.base }),
      );
    case 'llm_prompt':
      return hold((bounded, again) => runPrompt(bounded, { call: again, prompt: implementation }));
    case 'composed':
      return hold(async (bounded, again) => {
        const { runComposed } = await import('./composed.js');
        return runComposed(bounded, { call: again, panel: implementation, ask });
      });
    case 'agent':
      return implementation.topology === null
        ? hold(async (bounded, again, context) =>
            (await import('./remote-agent.js')).callRemote(bounded, { call: again, agent: implementation, context }),
          )
        : hold(async (bounded, again, context) =>
            (await import('./child-run.js')).runTopology(bounded, { call: again, agent: implementation, context }),
          );
  }
}

/** Returns where the failure is the result of the call: the run has no patience left, or none. */
export async function waitFor(
  services: RunServices,
  of: { readonly call: SkillCall; readonly context: StepContext; readonly down: Down },
): Promise<void> {
  const { key, activation, skill } = of.call;
  const { outagesOf } = await import('../outage-patience.js');
  const asking = { key, agentId: activation.node.id, skillId: skill.id, isAwaited: true };
  await outagesOf(services, asking, of.context).waitFor(of.down);
}

/** Limits and retries are a module that a skill without them never loads. */
async function inBounds(
  services: RunServices,
  call: SkillCall,
  run: (bounded: RunServices, again: SkillCall) => Promise<StepEnd<SkillValue> | Parked>,
) {
  return call.skill.constraints === undefined
    ? run(services, call)
    : (await import('./bounded.js')).runBounded(services, call, run);
}

/** A leaf comes to an end, or to none at all. */
function ended(answer: StepEnd<SkillValue> | Parked): StepEnd<SkillValue> {
  if (isParked(answer)) throw new Error('a leaf cannot wait for anybody');
  return answer;
}

/**
 * A refusal on the way (a credential that does not resolve) is a failed call with its code,
 * reported like any other.
 */
async function orFailed<E>(run: () => Promise<E>): Promise<E | StepEnd<never>> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StepFailure || (isKitError(error) && error.code !== 'KIT_JOURNAL_DIVERGED'))
      return thrownEnd(error);
    throw error;
  }
}
