import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findChangedFiles } from './scripts/lib/changed-files.mjs';

const src = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/**
 * The long shares: processes killed at fault points, chaos, enumerations, races, mutated inputs.
 * They belong to `npm run test:long`; what is short in these rooms does not.
 */
const LONG = [
  'test/crash/**/*.test.ts',
  'test/e2e/why/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/house/changed-faults.test.ts',
  'test/model/**/*.test.ts',
  'test/plugins/protocols/a2a/strange-peers.test.ts',
  'test/replay/**/*.test.ts',
  'test/soak/soak.test.ts',
  'test/store/races/**/*.test.ts',
];

/** Whole runs of tests by themselves, which would disturb what waits for processes. */
const MEASURES = ['test/house/coverage.test.ts', 'test/mutations/**/*.test.ts'];

/**
 * The built program from outside, in many processes: fleets, terminals, signals, packages that npm
 * installs, the largest stores. They run with the long shares, and in the usual run where a change
 * can reach them. What each command does in a process of its own, test/cli tells in the usual run.
 */
const PROCESSES = [
  'test/e2e/!(why)/**/*.test.ts',
  'test/e2e/*.test.ts',
  'test/host/installed-plugins.test.ts',
  'test/package/**/*.test.ts',
  'test/plugins/plugins/{check,new}.test.ts',
  'test/plugins/serve/runs/crash.test.ts',
  'test/store/audit/copy.test.ts',
  'test/store/many-rows.test.ts',
  'test/store/move/**/*.test.ts',
  'test/store/sqlite/crash.test.ts',
];

/** Rooms of pure code: what their tests see is broken on purpose by test/mutations. */
const PURE = [
  'test/{lib,domain,view,text,govern,ui,cli,testing}/**/*.test.ts',
  'test/compile/!(keys)/**/*.test.ts',
  'test/soak/checks.test.ts',
];

/** Rooms over real stores, and what each key of an artifact changes in a run. */
const ROOMS = ['test/{app,engine,worker}/**/*.test.ts', 'test/compile/keys/**/*.test.ts'];

/**
 * What puts a module of its own in the place of another, or measures, has a process to itself; so
 * has what collects all garbage a hundred times: of a small heap.
 */
const ALONE = [
  'test/app/events/sinks/trace-of-long-run.test.ts',
  'test/boot/{data-dir,main,serve-pruning}.test.ts',
  'test/guards/**/*.test.ts',
  'test/plugins/auth/keys.test.ts',
  'test/plugins/serve/runs/recover.test.ts',
  'test/system/**/*.test.ts',
];

/**
 * Files that take longest among those that are short to read: in a fresh clone the runner knows no
 * times, and goes by size.
 */
const LONGEST = [
  'test/store/postgres/conformance.test.ts',
  'test/compile/keys/harness-effects.test.ts',
  'test/cli/every-command.test.ts',
  'test/house/changed-faults.test.ts',
  'test/crash/harness-calls.test.ts',
  'test/crash/outages.test.ts',
  'test/crash/two-kits.test.ts',
  'test/crash/context.test.ts',
  'test/crash/gates.test.ts',
  'test/crash/enumeration.test.ts',
  'test/e2e/tutorials.test.ts',
  'test/e2e/sigterm.test.ts',
  'test/e2e/browser/foreign-pages.test.ts',
  'test/e2e/plugins/misbehaving.test.ts',
  'test/e2e/console/hostile.test.ts',
  'test/package/docs-site.test.ts',
  'test/e2e/adapters-verify.test.ts',
  'test/e2e/console/live.test.ts',
  'test/e2e/workers/needs.test.ts',
  'test/e2e/telemetry/serve.test.ts',
  'test/e2e/run-flags.test.ts',
  'test/e2e/workers/limits.test.ts',
  'test/e2e/tools/containers.test.ts',
  'test/e2e/workers/lacking.test.ts',
  'test/e2e/artifact-database.test.ts',
  'test/package/installed.test.ts',
  'test/e2e/workers/endings.test.ts',
  'test/e2e/survival/reloads.test.ts',
  'test/e2e/login-conformance.test.ts',
  'test/e2e/plugins/misbehaving-worker.test.ts',
  'test/e2e/terminal/inbox-endings.test.ts',
  'test/store/audit/copy.test.ts',
];

/** Files of `others` between two of the long shares. */
const BETWEEN = 2;

/**
 * What takes longest begins first: at the end no processor waits for one of them. The long shares
 * keep the processors busy, other files wait half of their time: they run side by side.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      LONGEST.some((path) => moduleId.endsWith(`/${path}`)) ? 0 : 1;
    const sorted = (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
    const others = sorted.filter(({ project }) => project.name !== 'long');
    const shares = sorted.filter(({ project }) => project.name === 'long');
    return [...shares.flatMap((share) => [share, ...others.splice(0, BETWEEN)]), ...others];
  }
}

export default defineConfig({
  resolve: {
    alias: {
      '@kit-run/kit/plugin': src('sdk/plugin.ts'),
      '@kit-run/kit/command': src('sdk/command.ts'),
      '@kit-run/kit/text': src('text'),
      '@kit-run/kit/testing': src('sdk/testing.ts'),
      '@kit-run/kit/view': src('sdk/view.ts'),
      '@kit-run/kit/wire': src('sdk/wire.ts'),
    },
  },
  test: {
    globalSetup: ['test/support/components/postgres-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The last lines of CI show the first line of a failure alone: it says what was there.
    chaiConfig: { truncateThreshold: 1_000 },
    // A machine at its limit may take seconds for a turn: whoever polls waits, as a test does.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    experimental: { vcsProvider: { findChangedFiles } },
    projects: [
      // Where files share a process, none of them changes what the next one sees.
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      { extends: true, test: { name: 'rooms', include: ROOMS, exclude: ALONE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'world',
          include: ['{test,plugins/*/test}/**/*.test.ts'],
          exclude: [
            'test/fixtures/**',
            '**/node_modules/**',
            ...PURE,
            ...ROOMS,
            ...ALONE,
            ...PROCESSES,
            ...LONG,
            ...MEASURES,
          ],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'processes', include: PROCESSES } },
      { extends: true, test: { name: 'long', include: LONG } },
      { extends: true, test: { name: 'measures', include: MEASURES } },
    ],
  },
});
