import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopJob } from '../../src/app/stop-job.js';
import { submitRun } from '../../src/app/submit/submit-run.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { ModelProvider } from '../../src/domain/ports/model.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { runJob } from '../../src/worker/run-job.js';
import { type CrashStoreName, openCrashDatabase } from './crash-database.js';
import { crashFacilities, scriptExecutor } from './crash-facilities.js';
import { openCrashStores } from './crash-open.js';
import { submission } from './crash-submission.js';
import { crashAgent, crashCommand, snapshotOf, TELL } from './crash-topology.js';
import { processesWith, until } from './processes.js';
import { createRepository } from './repository.js';

const GRACE_MS = 400;

/**
 * Works, writes a line every moment, does not listen to TERM, and has a grandchild in a session of
 * its own that does the same; both end by themselves when the file `go` is there.
 */
const STUBBORN = `trap '' TERM
work() { trap '' TERM; while [ ! -e "$CRASH_GO" ]; do echo "$1" >> "$CRASH_TICKS"; sleep 0.03; done; }
setsid sh -c "$(cat <<'SCRIPT'
trap '' TERM; while [ ! -e "$CRASH_GO" ]; do echo grandchild >> "$CRASH_TICKS"; sleep 0.03; done
SCRIPT
)" &
`;

export interface ScopeOptions {
  readonly store: CrashStoreName;
  /**
   * What the third child, a model agent, does once the other two are inside a harness and inside a
   * command.
   */
  readonly thirdChild: (scene: ScopeScene) => Promise<'answers' | 'fails' | 'hangs'>;
  readonly timeoutMs?: number;
}

export interface ScopeScene {
  requestStop(): Promise<void>;
  /** The second Ctrl-C. */
  abort(): void;
  /** Lets harness and command end by themselves. */
  go(): void;
}

/**
 * One run with three parallel children, and what was there at the moment its final status was
 * written.
 */
export async function runScope(options: ScopeOptions) {
  const base = mkdtempSync(join(tmpdir(), 'kit-crash-scope-'));
  const repository = createRepository();
  const files = { ticks: join(base, 'ticks'), effects: join(base, 'effects'), go: join(base, 'go') };
  const mark = base.slice(-6);
  const clock = createClock();
  const host = readWorkerHost();
  const ids = createIds(host);
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const seen = { alive: [-1] as readonly number[], tickBytes: -1 };
  const alive = (): readonly number[] => processesWith(`CRASH_MARK=${mark}`);
  const faults = {
    hit: (name: string): void => {
      if (name !== 'run.ended:before') return;
      seen.alive = alive();
      seen.tickBytes = statSync(files.ticks).size;
    },
  };
  const database = await openCrashDatabase(options.store, base);
  const stores = await openCrashStores({
    url: database.url,
    stateDir: join(repository.root, '.kit'),
    clock,
    ids,
    faults,
  });
  const abort = new AbortController();
  const job = await submit();

  async function submit() {
    const root = crashAgent('root', {
      children: [
        crashAgent('worker', { executor: { kind: 'plugin', ref: 'stubborn', config: {}, onInDoubt: 'repeat' } }),
        crashAgent('tooler', { skills: ['toil'] }),
        crashAgent('third'),
      ],
    });
    const snapshot = snapshotOf(root, [crashCommand('toil', `${STUBBORN}begin tool; work tool`)]);
    const { prepared, request } = submission(snapshot, 'manual');
    const claim = {
      workerId: ids.workerId(),
      leaseMs: 60_000,
      jobClass: 'any',
      engine: ENGINE,
      offers: { plugins: {}, adapters: {} },
      limit: 1,
      host,
    } as const;
    const timed = { ...prepared, job: { ...prepared.job, timeoutMs: options.timeoutMs ?? null } };
    return submitRun({ stores, ids, clock }, { prepared: timed, request, claim });
  }

  const scene: ScopeScene = {
    requestStop: async () => void (await stopJob({ stores, ids, clock }, { job: job.id, by: 'tester' })),
    abort: () => abort.abort(),
    go: () => appendFileSync(files.go, ''),
  };
  const begun = (): boolean => {
    const effects = existsSync(files.effects) ? readFileSync(files.effects, 'utf8') : '';
    return effects.includes(' harness ') && effects.includes(' tool ') && alive().length >= 4;
  };
  const provider: ModelProvider = {
    price: () => 0,
    generate: async (request) => {
      const system = request.messages[0]?.parts[0];
      const agent = system?.type === 'text' ? system.text : '';
      const isFirst = !request.messages.some((message) => message.role === 'assistant');
      const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };
      const call = (name: string, input: object) =>
        ({ type: 'tool_call', id: name, name, input: input as never }) as const;
      const answer = (parts: readonly object[]) =>
        ({ ok: true, response: { parts: parts as never, finish: 'stop', usage, model: 'fake-1' } }) as const;
      if (agent.includes('root') && isFirst)
        return answer(['worker', 'tooler', 'third'].map((id) => call(`delegate_to_${id}`, { task: id })));
      if (agent.includes('tooler') && isFirst) return answer([call('toil', { input: '' })]);
      if (!agent.includes('third')) return answer([{ type: 'text', text: 'done' }]);
      await until('the other two are inside a harness and inside a command', begun);
      const does = await options.thirdChild(scene);
      if (does === 'hangs') await new Promise(() => {});
      if (does === 'fails')
        return { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
      return answer([{ type: 'text', text: 'third is done' }]);
    },
  };
  const facilities = crashFacilities({
    workspaceRoot: repository.root,
    tempRoot: repository.temp,
    provider,
    executor: scriptExecutor(`${TELL}${STUBBORN}begin harness; echo session; work harness`),
    env: {
      CRASH_EFFECTS: files.effects,
      CRASH_TICKS: files.ticks,
      CRASH_GO: files.go,
      CRASH_WORKER: '0',
      CRASH_KILL_IN: '',
      CRASH_MARK: mark,
    },
    graceMs: GRACE_MS,
  });
  const result = await runJob(
    { stores, clock, log, leaseMs: 60_000, defer: setImmediate, open: async () => facilities },
    job,
    {
      abort: abort.signal,
    },
  );
  const endedTickBytes = statSync(files.ticks).size;
  const row = await stores.jobs.get(job.id);
  return {
    result,
    row,
    /** When `run.ended` was about to be committed. */
    atEnd: seen,
    endedTickBytes,
    tickBytes: () => statSync(files.ticks).size,
    alive,
    dispose: async () => {
      await stores.close();
      await database.dispose();
      repository.dispose();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
