import type { JsonObject } from '../../domain/json.js';
import type { ServerCall } from '../../domain/ports/tools.js';
import type { RunServices } from '../services.js';
import type { StepContext } from '../step-types.js';
import type { ToolFacts } from './tool-cache.js';
import type { ToolSkill } from './tool-facts.js';

type Progress = Parameters<NonNullable<ServerCall['onProgress']>>[0];

/**
 * Each event is a commit: a server that reports every byte would hold up the run. What is reported
 * in between is left out.
 */
const EVERY_MS = 1_000;
const MAX_MESSAGE_CHARS = 500;

/** Of bytes, lines or anything else; a server may count in parts. */
const isAmount = (value: number | null): value is number =>
  value !== null && value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** What a server reports of a call that is under way. */
export interface ProgressReport {
  readonly onProgress: NonNullable<ServerCall['onProgress']>;
  /** The call is over: nothing more is reported of it. */
  end(): void;
}

/** Makes events of it (`tool.progress`). The call never waits for one, and fails for none. */
export function reportProgress(
  services: RunServices,
  run: Pick<ToolRun, 'skill' | 'context' | 'agentId'>,
): ProgressReport {
  let nextAt = 0;
  let isOver = false;
  const report = async (progress: Progress): Promise<void> => {
    const message = await shownMessage(services, run, progress.message);
    if (isOver || services.signal.aborted) return;
    await run.context.emit({
      type: 'tool.progress',
      agentId: run.agentId,
      skillId: run.skill.id,
      payload: {
        tool: run.skill.id,
        server: run.skill.implementation.server,
        done: progress.done,
        total: isAmount(progress.total) ? progress.total : null,
        message,
      },
    });
  };
  return {
    onProgress: (progress) => {
      const now = services.clock.now();
      if (isOver || now < nextAt || !isAmount(progress.done)) return;
      nextAt = now + EVERY_MS;
      // What cannot be written is reported by the end of the step.
      report(progress).catch(() => undefined);
    },
    end: () => {
      isOver = true;
    },
  };
}

/**
 * Words of a server are output of the tool: what the skill's policy hides of that is hidden here.
 */
async function shownMessage(
  services: RunServices,
  { skill }: Pick<ToolRun, 'skill'>,
  message: string | null,
): Promise<string | null> {
  if (message === null) return null;
  const { outputs } = await services.redactCall(skill.id, {
    inputs: {},
    outputs: message.slice(0, MAX_MESSAGE_CHARS).toWellFormed(),
  });
  return typeof outputs === 'string' ? outputs : null;
}

export interface ToolRun {
  readonly key: string;
  readonly skill: ToolSkill;
  readonly facts: Pick<ToolFacts, 'effects' | 'isIdempotent'>;
  /** What the server is sent: the model's arguments under the fixed ones. */
  readonly input: JsonObject;
  readonly context: StepContext;
  /** Who calls. */
  readonly agentId: string;
}
