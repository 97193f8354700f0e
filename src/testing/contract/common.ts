import type { Contribution, ExtensionPoints, LivePointId } from '../../domain/extension-points.js';
import { type ContractCase, frozen, must, resultOf, settled, textOf } from './case.js';
import { watchEffects } from './effects.js';
import { type ContractFixtures, createWorld, type Network, type World } from './world.js';

/** One contribution under test. */
export interface Subject<P extends LivePointId, F extends ContractFixtures = ContractFixtures> {
  readonly point: P;
  readonly contribution: Contribution<P>;
  readonly fixtures: F;
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

/** A world of its own, and an instance in it. */
export async function openIn<P extends LivePointId>(subject: Subject<P>, network?: Network) {
  const world = createWorld(subject.fixtures, network);
  return { world, instance: await createIn(subject, world) };
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
  const { world, instance } = await openIn(subject);
  if (instance.dispose === undefined) return 'it has nothing to dispose';
  world.abort();
  for (const time of ['first', 'second']) {
    const outcome = await settled(async () => instance.dispose?.(), world.deadlineMs, `the ${time} dispose`);
    must(outcome.how === 'value', `the ${time} dispose threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}`);
  }
  return null;
}

/** A check of one subject: as `run` of a `ContractCase`. */
type Check<S> = (subject: S) => Promise<string | null>;

/** What holds at every extension point. */
const COMMON = {
  'is stamped by the define function of its point': async ({ point, contribution }) => {
    must(contribution.$$type === `kit.${point}`, `its tag is ${String(contribution.$$type)}, not kit.${point}`);
    must(contribution.version === 1, `its tag has version ${String(contribution.version)}, not 1`);
    must(typeof contribution.create === 'function', 'it has no create');
    return null;
  },
  'is created without touching the network or starting a process': isCreatedQuietly,
  'gives a new instance each time it is created': givesInstances,
  'leaves its configuration as it was given': async (subject) => {
    // the configuration is frozen: writing to it throws
    await openIn(subject);
    return null;
  },
  'can be disposed twice': isDisposedTwice,
} satisfies Readonly<Record<string, <P extends LivePointId>(subject: Subject<P>) => Promise<string | null>>>;

/**
 * The suite of a point: what holds at every one, then the checks of its own. Its cases run one
 * after the other.
 */
export const conformanceOf =
  <P extends LivePointId, F extends ContractFixtures>(
    point: P,
    checks: Readonly<Record<string, Check<Subject<P, F>>>>,
  ): ((contribution: Contribution<P>, fixtures?: F) => readonly ContractCase[]) =>
  (contribution, fixtures = {} as F) => {
    const subject: Subject<P, F> = { point, contribution, fixtures };
    return Object.entries({ ...COMMON, ...checks }).map(([name, check]) => ({ name, run: () => check(subject) }));
  };
