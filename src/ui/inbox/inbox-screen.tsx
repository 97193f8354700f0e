import { Box, type Instance, render, Text } from 'ink';
import type { ReactNode } from 'react';
import type { InboxItem, ResolvedItem, ReviewApp } from '../../app/review/review-app.js';
import { isKitError } from '../../domain/errors.js';
import { LOCAL_DOOR } from '../../domain/gates.js';
import { assertNever } from '../../lib/assert-never.js';
import { styleOf } from '../live/frame-view.js';
import type { JobControl } from '../live/live-run.js';
import { type InboxKeys, readInboxKeys } from './inbox-keys.js';
import { type InboxFrame, inboxFrame } from './inbox-layout.js';
import { type InboxEffect, type InboxInput, type InboxState, openInbox, reduceInbox } from './inbox-state.js';
import { type ItemBody, itemBody } from './item-lines.js';

/** Whose inbox, and what it stands on. */
export interface InboxOptions {
  readonly app: Pick<ReviewApp, 'inbox' | 'inboxItem' | 'resolve' | 'answer'>;
  readonly workspace: string;
  readonly identity: string;
  readonly color: boolean;
  /** Told of each decision that was recorded. */
  readonly onDecided: (decided: ResolvedItem) => void;
  /** Ends the inbox from outside. */
  readonly signal: AbortSignal;
}

/** The terminal, and who else uses it. */
export interface InboxParts {
  readonly stdout: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly jobControl: JobControl;
  /** Log lines would run into the screen: they are kept and written when it is closed. */
  readonly takeLogLines: (take: (line: string) => void) => () => void;
  readonly writeLog: (line: string) => void;
}

/** Whose inbox, and what it stands on. */
export interface InboxOptions {
  readonly app: Pick<ReviewApp, 'inbox' | 'inboxItem' | 'resolve' | 'answer'>;
  readonly workspace: string;
  readonly identity: string;
  readonly color: boolean;
  /** Told of each decision that was recorded. */
  readonly onDecided: (decided: ResolvedItem) => void;
  /** Ends the inbox from outside: a signal that asks the process to go. */
  readonly signal: AbortSignal;
}

/** Rows of a page: several screens, and never the whole of a long list. */
const PAGE_ROWS = 50;

/** Opens the inbox on the terminal's alternate screen; resolves when it was left. However it ends, the terminal is as it was found. */
export function runInbox(parts: InboxParts, options: InboxOptions): Promise<'quit' | 'interrupted'> {
  return new InboxScreen(parts, options).run();
}

class InboxScreen {
  readonly #parts: InboxParts;
  readonly #options: InboxOptions;
  readonly #ended = Promise.withResolvers<'quit' | 'interrupted'>();
  readonly #log: string[] = [];
  #state: InboxState;
  #ink: Instance | null = null;
  #keys: InboxKeys | null = null;
  #deciding: Promise<void> = Promise.resolve();
  /** The wrapped text of the open item, for as long as item and width stay. */
  #body: { readonly item: InboxItem; readonly columns: number; readonly body: ItemBody } | null = null;

  constructor(parts: InboxParts, options: InboxOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#state = openInbox(options.identity).state;
  }

  async run(): Promise<'quit' | 'interrupted'> {
    const { stdout, stdin, takeLogLines, jobControl, writeLog } = this.#parts;
    const { signal } = this.#options;
    const onAbort = (): void => this.#take({ kind: 'key', key: { kind: 'interrupt' } });
    // A terminal that went away cannot be written to; the hangup signal says the rest.
    const onError = (): void => undefined;
    const releases = [
      takeLogLines((line) => void this.#log.push(line)),
      jobControl.onContinued(this.#continue),
      () => stdout.off('resize', this.#draw),
      () => signal.removeEventListener('abort', onAbort),
    ];
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    stdout.on('error', onError);
    stdout.on('resize', this.#draw);
    try {
      this.#open();
      this.#keys = readInboxKeys({ stdin, stdout }, (key) => (key.kind === 'suspend' ? void this.#suspend() : this.#take({ kind: 'key', key })));
      this.#act({ kind: 'page', afterId: null });
      return await this.#ended.promise;
    } finally {
      for (const release of releases) release();
      this.#keys?.close();
      await this.#close();
      // A decision that is being recorded is told of, whoever leaves meanwhile.
      await this.#deciding;
      stdout.off('error', onError);
      for (const line of this.#log) writeLog(line);
    }
  }

  #open(): void {
    const { stdout, stdin } = this.#parts;
    const look = { exitOnCtrlC: false, interactive: true, alternateScreen: true, isScreenReaderEnabled: false };
    this.#ink = render(this.#screen(), { stdout, stdin, ...look });
  }

  async #close(): Promise<void> {
    const ink = this.#ink;
    this.#ink = null;
    ink?.unmount();
    await ink?.waitUntilExit();
  }

  #take(input: InboxInput): void {
    if (this.#state.left !== null) return;
    const { state, effect } = reduceInbox(this.#state, input);
    this.#state = state;
    if (state.left !== null) {
      this.#ended.resolve(state.left);
      return;
    }
    this.#draw();
    if (effect !== null) this.#act(effect);
  }

  /** What a use case refuses is shown; what it breaks with ends the inbox and goes on to the command. */
  #act(effect: InboxEffect): void {
    const isDecision = effect.kind === 'resolve' || effect.kind === 'answer';
    const done = this.#carryOut(effect).then(
      (input) => this.#take(input),
      (error: unknown) => {
        if (isKitError(error) && error.code !== 'KIT_INTERNAL') this.#take({ kind: 'failed', message: error.message, hint: error.hint ?? '' });
        else this.#ended.reject(error);
      },
    );
    if (isDecision) this.#deciding = done;
  }

  async #carryOut(effect: InboxEffect): Promise<InboxInput> {
    const { app, workspace, identity, onDecided } = this.#options;
    switch (effect.kind) {
      case 'page': {
        const page = await app.inbox({ workspace, identity, limit: PAGE_ROWS, afterId: effect.afterId });
        return { kind: 'page', page, afterId: effect.afterId };
      }
      case 'open':
        return { kind: 'item', item: await app.inboxItem({ workspace, identity, item: effect.itemId }) };
      case 'resolve': {
        const { itemId: item, outcome, comment } = effect;
        const decided = await app.resolve({ workspace, identity, door: LOCAL_DOOR, item, outcome, comment });
        onDecided(decided);
        return {
          kind: 'recorded',
          itemId: item,
          text: `recorded: ${decided.item.status}, the gate is ${decided.gate?.status ?? decided.item.status}`,
        };
      }
      case 'answer': {
        const { itemId: item, action, text } = effect;
        const decided = await app.answer({
          workspace,
          identity,
          item,
          action,
          answer: action === 'answer' ? text : null,
          comment: action === 'answer' ? '' : text,
        });
        onDecided(decided);
        return { kind: 'recorded', itemId: item, text: `recorded: ${decided.item.status}` };
      }
      default:
        return assertNever(effect);
    }
  }

  #screen(): ReactNode {
    const { stdout } = this.#parts;
    const columns = stdout.columns || 80;
    const frame = inboxFrame(this.#state, { columns, rows: stdout.rows || 24 }, (item, width) => this.#bodyOf(item, width));
    this.#state = reduceInbox(this.#state, { kind: 'drawn', size: frame.size }).state;
    return <InboxFrameView frame={frame} columns={columns} color={this.#options.color} />;
  }

  #bodyOf(item: InboxItem, columns: number): ItemBody {
    if (this.#body?.item !== item || this.#body.columns !== columns) this.#body = { item, columns, body: itemBody(item, columns) };
    return this.#body.body;
  }

  readonly #draw = (): void => {
    this.#ink?.rerender(this.#screen());
  };

  /** Ctrl-Z: the shell gets a clean terminal, and whoever comes back finds the inbox again. */
  async #suspend(): Promise<void> {
    this.#keys?.pause();
    await this.#close();
    this.#parts.jobControl.suspend();
  }

  /** The process was stopped, by its own key or from outside: the screen is not what was drawn last. */
  readonly #continue = async (): Promise<void> => {
    await this.#close();
    if (this.#state.left !== null) return;
    this.#open();
    this.#keys?.resume();
  };
}

function InboxFrameView({ frame, columns, color }: { readonly frame: InboxFrame; readonly columns: number; readonly color: boolean }): ReactNode {
  return (
    <Box flexDirection="column" width={columns}>
      {frame.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a screen has no identity but its place
        <Text key={index} wrap="truncate-end" {...styleOf(line.tone, { color, columns })}>
          {line.text === '' ? ' ' : line.text}
        </Text>
      ))}
    </Box>
  );
}
