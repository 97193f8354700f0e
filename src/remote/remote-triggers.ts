import { triggerToFire } from '../app/triggers/trigger-to-fire.js';
import type { FiredTarget, TriggerReport, TriggersApp } from '../app/triggers/triggers-app.js';
import type { JsonObject } from '../domain/json.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  listOf,
  maybeObjectAt,
  maybeTextAt,
  objectsAt,
  textAt,
  textsAt,
} from '../lib/read-json.js';
import { codeOf } from './answers.js';
import type { RemoteContext } from './remote-context.js';

/** Triggers as the server has them. */
export function remoteTriggers({ client }: RemoteContext): Pick<TriggersApp, 'list' | 'plan' | 'fire'> {
  const list = async (): Promise<readonly TriggerReport[]> =>
    listOf(await client.read(client.http.GET('/triggers'))).map(triggerOf);
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
      const told = fieldsOf(await client.read(answer));
      return {
        trigger: textAt(told, 'trigger'),
        type: textAt(told, 'type'),
        targets: objectsAt(told, 'targets').map(firedOf),
      };
    },
  };
}

function firedOf(target: Fields): FiredTarget {
  const refused = maybeObjectAt(target, 'refused');
  return {
    target: textAt(target, 'target'),
    jobId: maybeTextAt(target, 'job_id'),
    refusal:
      refused === null
        ? null
        : {
            code: codeOf(maybeTextAt(refused, 'code')) ?? 'KIT_SERVER_ANSWER',
            message: maybeTextAt(refused, 'detail') ?? '',
            data: {},
          },
  };
}

function triggerOf(value: unknown): TriggerReport {
  const told = fieldsOf(value);
  return {
    id: textAt(told, 'id'),
    type: textAt(told, 'type'),
    providerId: maybeTextAt(told, 'provider_id'),
    enabled: isTrueAt(told, 'enabled'),
    active: isTrueAt(told, 'active'),
    reason: maybeTextAt(told, 'reason'),
    targets: textsAt(told, 'targets'),
    pipelineTargets: objectsAt(told, 'pipeline_targets').map((target) => ({
      pipeline: textAt(target, 'pipeline'),
      emit: textAt(target, 'emit'),
      correlationId: textAt(target, 'correlation_id'),
    })),
    config: fieldsOf(told.config) as JsonObject,
    nextFireAt: maybeTextAt(told, 'next_fire_at'),
  };
}
