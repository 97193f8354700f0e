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
      const fields = fieldsOf(await client.read(answer));
      return {
        trigger: textAt(fields, 'trigger'),
        type: textAt(fields, 'type'),
        targets: objectsAt(fields, 'targets').map(firedOf),
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
  const fields = fieldsOf(value);
  return {
    id: textAt(fields, 'id'),
    type: textAt(fields, 'type') as TriggerReport['type'],
    providerId: maybeTextAt(fields, 'provider_id'),
    enabled: isTrueAt(fields, 'enabled'),
    active: isTrueAt(fields, 'active'),
    reason: maybeTextAt(fields, 'reason'),
    targets: textsAt(fields, 'targets'),
    pipelineTargets: objectsAt(fields, 'pipeline_targets').map((target) => ({
      pipeline: textAt(target, 'pipeline'),
      emit: textAt(target, 'emit'),
      correlationId: textAt(target, 'correlation_id'),
    })),
    config: fieldsOf(fields.config) as JsonObject,
    nextFireAt: maybeTextAt(fields, 'next_fire_at'),
  };
}
