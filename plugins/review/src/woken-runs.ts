import type { ResolvedItem, RunScreen } from '@kit-run/kit/command';
import type { RunAfterDecision } from '@kit-run/kit/text/item-text';
import { type GoOnOptions, goOnAfter } from './go-on.js';

/** What every run that a decision wakes shares. */
export type Waking = Omit<GoOnOptions, 'job' | 'afterSeq' | 'behind'>;

/** How the inbox was left. */
export type LeftBy = 'quit' | 'interrupted';

/**
 * Runs that were decided in an inbox. Each goes on at once, behind the full screen; what is printed
 * of it waits until the screen is gone.
 */
export class WokenRuns {
  readonly #waking: Waking;
  readonly #gone = new AbortController();
  /** By run: the last time that it was woken. */
  readonly #runs = new Map<string, Promise<RunAfterDecision>>();
  readonly #interrupts = new Set<() => void>();
  readonly #said: (() => void)[] = [];
  #isOpen = true;

  constructor(waking: Waking) {
    this.#waking = waking;
  }

  /** A decision was recorded; `report` says in the inbox what becomes of its run. */
  take({ job, seq }: ResolvedItem, report: (text: string) => void): void {
    if (job.status !== 'pending' && job.status !== 'queued') return;
    const run = goOnAfter({
      ...this.#waking,
      job,
      afterSeq: seq,
      behind: {
        signal: this.#gone.signal,
        onTaken: () => report(`run ${job.id} goes on here, while you read on`),
        screen: (below) => this.#over(below),
      },
    });
    this.#runs.set(job.id, run);
    run.then(
      (after) => report(afterText(after)),
      // Reported by `ended`, which awaits it.
      () => undefined,
    );
  }

  /**
   * The screen is gone: shows what the runs are at, and gives each when it has ended, parked or was
   * left. Ctrl-C in the inbox stops those that go on here, as it stops any run.
   */
  async *ended(left: LeftBy): AsyncGenerator<RunAfterDecision> {
    this.#isOpen = false;
    for (const say of this.#said.splice(0)) say();
    if (left === 'interrupted') {
      this.#gone.abort();
      for (const interrupt of this.#interrupts) interrupt();
    }
    for (const run of this.#runs.values()) yield await run;
  }

  #over(below: RunScreen): RunScreen {
    const interrupt: { handler: () => void } = { handler: () => undefined };
    const pass = (): void => interrupt.handler();
    this.#interrupts.add(pass);
    return {
      ...below,
      event: (event, view) => (this.#isOpen ? undefined : below.event(event, view)),
      say: (text) => (this.#isOpen ? void this.#said.push(() => below.say(text)) : below.say(text)),
      onInterrupt: (handler) => {
        interrupt.handler = handler;
        // Left between the claim and the first look.
        if (this.#gone.signal.aborted) handler();
      },
      close: () => {
        this.#interrupts.delete(pass);
        below.close();
      },
    };
  }
}

function afterText({ job, why }: RunAfterDecision): string {
  if (why !== null) return `run ${job.id} is ${job.status}: ${why}`;
  if (job.status === 'deferred') return `run ${job.id} asks again: ${job.waitingOn.join(', ')}`;
  return `run ${job.id} is ${job.status}: kit trace ${job.id}`;
}
