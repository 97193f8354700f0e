import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { ContainerSandbox, SandboxBuild } from '../adapter/spec.js';

/**
 * An image that is there, or how it is built: the arguments behind `build`, and what is written to
 * it.
 */
export type ImagePlan =
  | { readonly kind: 'named'; readonly image: string }
  | { readonly kind: 'built'; readonly image: string; readonly args: readonly string[]; readonly stdin: string }
  | { readonly kind: 'missing' };

const tagOf = (text: string): string => `kit-harness:${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;

/**
 * A build from a text has no files around it; one from a file has those of its folder, and what
 * changed there is the runtime's to see.
 */
function buildOf(build: SandboxBuild, workspaceRoot: string): ImagePlan {
  if (build.dockerfile !== null) {
    const file = resolve(workspaceRoot, build.dockerfile);
    const image = tagOf(file);
    return { kind: 'built', image, args: ['-t', image, '-f', file, dirname(file)], stdin: '' };
  }
  const text = build.inline ?? [`FROM ${build.base}`, ...build.install.map((line) => `RUN ${line}`), ''].join('\n');
  const image = tagOf(text);
  return { kind: 'built', image, args: ['-t', image, '-'], stdin: text };
}

/**
 * The adapter's image, else KIT_HARNESS_IMAGE, else what the adapter says how to build; there is no
 * default image (docs/design/execution.md#containers).
 */
export function planImage(
  sandbox: ContainerSandbox,
  of: { readonly fallback: string | null; readonly workspaceRoot: string },
): ImagePlan {
  const image = sandbox.image ?? of.fallback;
  if (image !== null) return { kind: 'named', image };
  return sandbox.build === null ? { kind: 'missing' } : buildOf(sandbox.build, of.workspaceRoot);
}
