import type { Json, JsonObject } from '../../domain/json.js';
import type { TriggerSpec } from '../../domain/ports/triggers.js';
import { isObject } from '../../lib/json.js';
import { mapTexts } from '../../lib/map-texts.js';
import { inactiveReason, openTrigger } from './open-trigger.js';
import type { TriggerWorld } from './trigger-world.js';
import type { TriggerReport } from './triggers-app.js';

/**
 * Members that hold a secret by their name, should an author have written one there; references to
 * secrets are none.
 */
const SECRET_KEY = /(secret|password|token|api_?key)$/i;

const hidden = (config: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(config).map(([key, value]) => [key, hiddenIn(key, value)]));

function hiddenIn(key: string, value: Json): Json {
  if (typeof value === 'string') return SECRET_KEY.test(key) ? '***' : value;
  if (Array.isArray(value)) return value.map((item) => hiddenIn(key, item));
  return isObject(value) ? hidden(value) : value;
}

/**
 * What a report is made from. `known`: why a started server has it inactive; undefined = nothing is
 * known.
 */
interface Ask {
  readonly world: TriggerWorld;
  readonly known: (id: string) => string | undefined;
  readonly mask: (text: string) => string;
}

async function reportOf({ world, known, mask }: Ask, spec: TriggerSpec): Promise<TriggerReport> {
  const opened = await openTrigger(world.plugins, spec);
  // What listens has its own word for why it does not; the others are asked now: a secret may have
  // been set meanwhile.
  const listens = opened.ok && opened.type.start !== undefined;
  const reason = spec.enabled
    ? ((listens ? known(spec.id) : undefined) ?? (await inactiveReason(opened, world.workspace.root)))
    : 'it is disabled';
  const isActive = reason === null;
  return mapTexts(
    {
      id: spec.id,
      type: spec.type,
      providerId: spec.providerId,
      enabled: spec.enabled,
      active: isActive,
      reason,
      targets: spec.targets.flatMap((target) => (target.kind === 'topology' ? [target.topology] : [])),
      pipelineTargets: spec.targets.flatMap((target) =>
        target.kind === 'event'
          ? [{ pipeline: target.pipeline, emit: target.emit, correlationId: target.correlationId }]
          : [],
      ),
      config: hidden(spec.config),
      nextFireAt:
        isActive && opened.ok && opened.type.nextFireAt !== undefined
          ? await opened.type.nextFireAt().catch(() => null)
          : null,
    },
    mask,
  );
}

/** Every trigger, by id. */
export function listTriggers(ask: Ask): Promise<readonly TriggerReport[]> {
  const specs = [...ask.world.workspace.triggerSpecs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Promise.all(specs.map((spec) => reportOf(ask, spec)));
}
