import type { RunProof } from './proof.js';

const SPEC = 'ExecutorAdapter.spec';
const SANDBOX = `${SPEC}.sandbox`;
const container = (more: object = { image: 'tools:1' }): NonNullable<RunProof['given']> => ({
  [SANDBOX]: { kind: 'container', ...more },
});
const mounted = container({ image: 'tools:1', mounts: [{ source: 'data', target: '/data' }] });

/** Keys of the container that a harness runs in, as its runtime is told. */
export const CONTAINER_PROOFS: readonly RunProof[] = [
  { key: `${SANDBOX}.kind`, a: 'worktree', b: 'container', given: container() },
  { key: `${SANDBOX}.image`, a: 'tools:1', b: 'tools:2', given: container() },
  { key: `${SANDBOX}.build.base`, a: 'one', b: 'two', given: container({ build: {} }) },
  { key: `${SANDBOX}.build.dockerfile`, a: 'one/Dockerfile', b: 'two/Dockerfile', given: container({ build: {} }) },
  { key: `${SANDBOX}.build.dockerfile_inline`, a: 'FROM one', b: 'FROM two', given: container({ build: {} }) },
  { key: `${SANDBOX}.build.install`, a: ['first'], b: ['second'], given: container({ build: { base: 'one' } }) },
  { key: `${SANDBOX}.mounts.*.source`, a: '/data', b: '/more', given: mounted },
  { key: `${SANDBOX}.mounts.*.target`, a: '/data', b: '/more', given: mounted },
  { key: `${SANDBOX}.mounts.*.mode`, a: 'ro', b: 'rw', given: mounted },
  { key: `${SANDBOX}.resources.cpus`, a: '1', b: '2', given: container() },
  { key: `${SANDBOX}.resources.memory`, a: '1g', b: '2g', given: container() },
  { key: `${SANDBOX}.resources.pids`, a: 10, b: 20, given: container() },
];
