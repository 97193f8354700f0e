import { triggerToFire } from '../app/triggers/trigger-to-fire.js';
import type { FiredTarget, TriggerReport, TriggersApp } from '../app/triggers/triggers-app.js';
import { FIRED, TRIGGERS } from '../view/schemas/trigger.js';
import type { HeldOf } from '../view/schemas/words.js';
import { codeOf } from './answers.js';
import type { RemoteContext } from './remote-context.js';

/** Triggers as the server has them. */
export function remoteTriggers({ client }: RemoteContext): Pick<TriggersApp, 'list' | 'plan' | 'fire'> {
  const list = (): Promise<readonly TriggerReport[]> => client.readAs(TRIGGERS, client.http.GET('/triggers'));
  return {
    list,
    plan: async ({ id, input }) => {
      const trigger = triggerToFire(id, await list());
      return {
        trigger,
        firedBy: 'server',
        topologies: trigger.targets,
        events: trigger.pipelineTargets.map(({ pipeline, emit }) => `${pipeline}:${emit}`),
        // Without one the server gives what the trigger gives.
        input: input ?? null,
      };
    },
    fire: async ({ id, input }) => {
      const answer = client.http.POST('/triggers/{id}/fire', {
        params: { path: { id } },
        body: input === undefined ? {} : { input: input as never },
      });
      const fired = await client.readAs(FIRED, answer);
      return { ...fired, targets: fired.targets.map(firedOf) };
    },
  };
}

function firedOf({ refused, ...target }: HeldOf<typeof FIRED>['targets'][number]): FiredTarget {
  const refusal = refused === null ? null : { ...refused, code: codeOf(refused.code) ?? 'KIT_SERVER_ANSWER', data: {} };
  return { ...target, refusal };
}
