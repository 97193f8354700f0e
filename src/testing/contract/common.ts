import type { Contribution, ExtensionPoints, LivePointId } from '../../domain/extension-points.js';
import { type ContractCase, frozen, must, resultOf, settled, textOf } from './case.js';
import { watchEffects } from './effects.js';
import { type ContractFixtures, createWorld, type World } from './world.js';

/** One contribution under test. */
export interface Subject<P extends LivePointId> {
  readonly point: P;
  readonly contribution: Contribution<P>;
  readonly fixtures: ContractFixtures;
}

/** An instance as the host would make it, from a configuration that cannot be changed. */
export function createIn<P extends LivePointId>(
  { contribution, fixtures }: Subject<P>,
  world: World,
): Promise<ExtensionPoints[P]> {
  return resultOf<ExtensionPoints[P]>(
    () => contribution.create(frozen(fixtures.config ?? {}), world.context),
    world.deadlineMs,
    'create',
  );
}

async function isCreatedQuietly<P extends LivePointId>(subject: Subject<P>): Promise<string | null> {
  const world = createWorld(subject.fixtures);
  const watch = watchEffects();
  try {
    await createIn(subject, world);
    const started = [...(world.requests.length === 0 ? [] : ['a request']), ...watch.seen()];
    must(started.length === 0, `create started ${started.join(', ')}; wait for the first call`);
  } finally {
    watch.stop();
  }
  return null;
}

async function givesInstances<P extends LivePointId>(subject: Subject<P>): Promise<string | null> {
  const world = createWorld(subject.fixtures);
  const [one, two] = [await createIn(subject, world), await createIn(subject, world)];
  must(typeof one === 'object' && one !== null, 'create gave no object');
  must(one !== two, 'create gave the same instance twice; each configuration needs its own');
  return null;
}

async function isDisposedTwice<P extends LivePointId>(subject: Subject<P>): Promise<string | null> {
  const world = createWorld(subject.fixtures);
  const instance = await createIn(subject, world);
  if (instance.dispose === undefined) return 'it has nothing to dispose';
  world.abort();
  for (const time of ['first', 'second']) {
    const outcome = await settled(async () => instance.dispose?.(), world.deadlineMs, `the ${time} dispose`);
    must(outcome.how === 'value', `the ${time} dispose threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}`);
  }
  return null;
}

/** What holds at every extension point. */
export function commonCases<P extends LivePointId>(subject: Subject<P>): readonly ContractCase[] {
  const { point, contribution } = subject;
  return [
    {
      name: 'is stamped by the define function of its point',
      run: async () => {
        must(contribution.$$type === `kit.${point}`, `its tag is ${String(contribution.$$type)}, not kit.${point}`);
        must(contribution.version === 1, `its tag has version ${String(contribution.version)}, not 1`);
        must(typeof contribution.create === 'function', 'it has no create');
        return null;
      },
    },
    { name: 'is created without touching the network or starting a process', run: () => isCreatedQuietly(subject) },
    { name: 'gives a new instance each time it is created', run: () => givesInstances(subject) },
    {
      name: 'leaves its configuration as it was given',
      run: async () => {
        // the configuration is frozen: writing to it throws
        await createIn(subject, createWorld(subject.fixtures));
        return null;
      },
    },
    { name: 'can be disposed twice', run: () => isDisposedTwice(subject) },
  ];
}
