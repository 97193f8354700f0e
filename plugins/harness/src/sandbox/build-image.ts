import { findContainerRuntime, KitError } from '@kit-run/kit/plugin';
import { parseAdapter } from '../adapter/parse.js';
import { hasNode, imageFor, type RuntimeHost } from './image-runtime.js';

/** An image that was built. */
export interface BuiltImage {
  readonly runtime: string;
  readonly image: string;
  /** Whether permissions and skills reach kit from inside: it takes Node.js there. */
  readonly has_node: boolean;
}

type BuildRequest = Parameters<typeof findContainerRuntime>[0] & {
  readonly id: string;
  readonly spec: Parameters<typeof parseAdapter>[0];
  readonly onLine: NonNullable<RuntimeHost['onLine']>;
};

/**
 * Builds the image of an adapter as a run would, and looks at it. Throws KIT_USAGE where it says of
 * none how it is built, KIT_SANDBOX_UNAVAILABLE where the runtime cannot.
 */
export async function buildImage({ id, spec, onLine, ...host }: BuildRequest): Promise<BuiltImage> {
  const adapter = parseAdapter(spec);
  const sandbox = adapter.ok ? adapter.spec.sandbox : null;
  if (sandbox === null)
    throw new KitError('KIT_USAGE', `the adapter ${id} does not use a container, so there is no image to build`, {
      hint: 'An adapter with `sandbox: { kind: container, build: ... }` has one.',
    });
  if (sandbox.build === null)
    throw new KitError(
      'KIT_USAGE',
      sandbox.image === null
        ? `the adapter ${id} does not say how its image is built`
        : `the adapter ${id} takes the image ${sandbox.image} as it is: nothing is built`,
      { hint: 'Write `sandbox.build` with `base` and `install`, `dockerfile` or `dockerfile_inline`.' },
    );
  const found = await findContainerRuntime(host);
  if ('problem' in found) throw unavailable(id, found.problem, found.hint);
  const built = await imageFor(
    found.runtime,
    { sandbox, fallback: null, workspaceRoot: host.cwd },
    { ...host, onLine },
  );
  if ('problem' in built) throw unavailable(id, built.problem);
  const { image } = built;
  return { runtime: found.runtime, image, has_node: await hasNode(found.runtime, image, host) };
}

const unavailable = (id: string, problem: string, hint?: string): KitError =>
  new KitError('KIT_SANDBOX_UNAVAILABLE', `the adapter ${id} is sandboxed, and ${problem}`, {
    ...(hint === undefined ? {} : { hint }),
  });
