import { KitError } from '../../domain/errors.js';
import type { Firing, TriggerSpec } from '../../domain/ports/triggers.js';
import { createSemaphore } from '../../lib/semaphore.js';
import { startTriggers, type TriggerRunner } from '../../worker/trigger-runner.js';
import type { ServeApp } from '../serve/serve-app.js';
import { deliverHook, type HookDeps, hookTierOf } from './deliver-hook.js';
import { fireTargets, submitterOf, targetName } from './fire-targets.js';
import { listTriggers } from './list-triggers.js';
import { contributionOf } from './open-trigger.js';
import { recordFiring } from './record-firing.js';
import { triggerToFire } from './trigger-to-fire.js';
import type { TriggerWorld } from './trigger-world.js';
import type { FiredTrigger, TriggerPlan, TriggersApp } from './triggers-app.js';

/** Real parts behind the use cases. */
export interface TriggersDeps extends HookDeps {
  readonly serve: Pick<ServeApp, 'submit' | 'onReload'>;
  /** The workspace as it is served now, or as its files are where no server runs. */
  readonly open: (workspace: string) => Promise<TriggerWorld>;
  /** Masks the secrets that are known of a workspace. */
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
}

/** The triggers that run now, and what ends the hearing of reloads. */
interface Running {
  readonly runner: TriggerRunner;
  readonly forget: () => void;
}

interface OwnPlan extends TriggerPlan {
  readonly trigger: TriggerSpec;
}

function planOf({ workspace }: TriggerWorld, ask: Parameters<TriggersApp['plan']>[0]): OwnPlan {
  const trigger = triggerToFire(ask.id, [...workspace.triggerSpecs.values()]);
  const { config, targets } = trigger;
  return {
    trigger,
    firedBy: 'here',
    topologies: targets.flatMap((target) => (target.kind === 'topology' ? [target.topology] : [])),
    events: targets.flatMap((target) => (target.kind === 'event' ? [targetName(target)] : [])),
    input: ask.input ?? (trigger.type === 'cron' ? config.input : undefined) ?? `trigger:${trigger.id}`,
  };
}

/** Triggers over parts that `boot` hands in. One server of this process runs them at a time. */
export function createTriggersApp(deps: TriggersDeps): TriggersApp {
  let running: Running | null = null;
  /** Starts, restarts and stops come one after the other. */
  const mutex = createSemaphore(1);

  async function fireByItself(workspace: string, trigger: TriggerSpec, { input, occurrence }: Firing): Promise<void> {
    const world = await deps.open(workspace);
    const stores = await world.stores();
    // Several workspaces may share one database, and their triggers a name.
    if (
      occurrence !== null &&
      !(await stores.serving.takeOccurrence(`${world.workspace.id}/${trigger.id}`, occurrence))
    )
      return;
    const targets = await fireTargets(deps, { workspace, trigger, input, submittedBy: submitterOf(trigger.id) });
    await recordFiring(deps, stores, { trigger, occurrence, by: null, targets });
  }

  async function run(workspace: string): Promise<TriggerRunner> {
    const world = await deps.open(workspace);
    return startTriggers(
      {
        clock: deps.clock,
        log: deps.log,
        open: (trigger) => world.plugins.resolve('triggers', contributionOf(trigger), trigger.config),
        fire: (trigger, firing) => fireByItself(workspace, trigger, firing),
      },
      { workspaceRoot: world.workspace.root, triggers: [...world.workspace.triggerSpecs.values()] },
    );
  }

  async function restart(workspace: string): Promise<void> {
    if (running === null) return;
    await running.runner.stop();
    running = { ...running, runner: await run(workspace) };
  }

  return {
    list: async ({ workspace }) => {
      const [world, mask] = await Promise.all([deps.open(workspace), deps.maskOf(workspace)]);
      return listTriggers({ world, mask, known: (id) => running?.runner.inactive.get(id) });
    },
    plan: async (ask) => planOf(await deps.open(ask.workspace), ask),
    fire: async (ask) => {
      const world = await deps.open(ask.workspace);
      const { trigger, input } = planOf(world, ask);
      const targets = await fireTargets(deps, { workspace: ask.workspace, trigger, input, submittedBy: ask.by });
      await recordFiring(deps, await world.stores(), { trigger, occurrence: null, by: ask.by, targets });
      return orRefused({ trigger: trigger.id, type: trigger.type, targets });
    },
    record: async ({ workspace, id, by, targets }) => {
      const world = await deps.open(workspace);
      const { trigger } = planOf(world, { workspace, id });
      await recordFiring(deps, await world.stores(), { trigger, occurrence: null, by: { identity: by }, targets });
    },
    hookTier: async ({ workspace, name }) => hookTierOf(await deps.open(workspace), name),
    deliver: async (hook) => deliverHook(deps, await deps.open(hook.workspace), hook),
    start: ({ workspace }) =>
      mutex(async () => {
        if (running !== null) return;
        const runner = await run(workspace);
        running = { runner, forget: deps.serve.onReload(() => mutex(() => restart(workspace))) };
      }),
    stop: () =>
      mutex(async () => {
        const stopped = running;
        running = null;
        stopped?.forget();
        await stopped?.runner.stop();
      }),
  };
}

/**
 * When nothing was started the caller is told as if they had asked for the first target themselves.
 */
function orRefused(fired: FiredTrigger): FiredTrigger {
  const first = fired.targets[0]?.refusal ?? null;
  if (first === null || fired.targets.some(({ refusal }) => refusal === null)) return fired;
  throw new KitError(first.code, first.message, { data: first.data });
}
