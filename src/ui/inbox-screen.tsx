import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { ResolvedItem } from '../app/review/decision.js';
import type { InboxItem } from '../app/review/review-app.js';
import type { InboxOptions } from '../app/screens.js';
import { isKitError } from '../domain/errors.js';
import { LOCAL_AUTH } from '../domain/gates.js';
import { assertNever } from '../lib/assert-never.js';
import type { DiffLook } from '../text/inbox/diff-section.js';
import { type InboxFrame, inboxFrame } from '../text/inbox/inbox-layout.js';
import { type InboxEffect, type InboxInput, type InboxState, PAGE_ROWS } from '../text/inbox/inbox-model.js';
import { openInbox, reduceInbox } from '../text/inbox/inbox-state.js';
import { type ItemBody, itemBody } from '../text/inbox/item-lines.js';
import { recordedText } from '../text/inbox/recorded-text.js';
import { styleOf } from './frame-view.js';
import { FullScreen, type FullScreenParts } from './full-screen.js';

/** Between two looks at what other people did. */
const REFRESH_MS = 2_000;

/**
 * Opens the inbox on the terminal's alternate screen; resolves when it was left. However it ends,
 * the terminal is as it was found.
 */
export function runInbox(parts: FullScreenParts, options: InboxOptions): Promise<'quit' | 'interrupted'> {
  return new InboxScreen(parts, options).run();
}

class InboxScreen {
  readonly #screen: FullScreen;
  readonly #options: InboxOptions;
  readonly #ended = Promise.withResolvers<'quit' | 'interrupted'>();
  #state: InboxState;
  #deciding: Promise<void> = Promise.resolve();
  /** A look at what other people did is under way. */
  #isRefreshing = false;
  /** The wrapped text of the open item, for as long as item and width stay. */
  #body: (DiffLook & { readonly item: InboxItem; readonly columns: number; readonly body: ItemBody }) | null = null;

  constructor(parts: FullScreenParts, options: InboxOptions) {
    this.#options = options;
    this.#state = openInbox(options.identity).state;
    this.#screen = new FullScreen(parts, {
      view: (size) => this.#view(size),
      onKey: (key) => this.#take({ kind: 'key', key }),
      isLeft: () => this.#state.left !== null,
    });
  }

  async run(): Promise<'quit' | 'interrupted'> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await this.#screen.during(this.#options.signal, () => {
        this.#act({ kind: 'page', afterId: null, limit: PAGE_ROWS });
        timer = setInterval(() => this.#take({ kind: 'tick' }), this.#options.refreshMs ?? REFRESH_MS);
        return this.#ended.promise;
      });
    } finally {
      clearInterval(timer);
      // A decision that is being recorded is told of, whoever leaves meanwhile.
      await this.#deciding;
    }
  }

  readonly #notify = (text: string): void => this.#take({ kind: 'noticed', text });

  #take(input: InboxInput): void {
    if (this.#state.left !== null) return;
    const { state, effect } = reduceInbox(this.#state, input);
    this.#state = state;
    if (state.left !== null) {
      this.#ended.resolve(state.left);
      return;
    }
    this.#screen.draw();
    if (effect !== null) this.#act(effect);
  }

  /**
   * What a use case refuses is shown; what it breaks with ends the inbox and goes on to the
   * command.
   */
  #act(effect: InboxEffect): void {
    const isDecision = effect.kind === 'resolve' || effect.kind === 'answer' || effect.kind === 'decide-many';
    if (effect.kind === 'refresh') {
      if (this.#isRefreshing) return;
      this.#isRefreshing = true;
    }
    const done = this.#carryOut(effect).then(
      (input) => {
        if (effect.kind === 'refresh') this.#isRefreshing = false;
        this.#take(input);
      },
      (error: unknown) => {
        if (isKitError(error) && error.code !== 'KIT_INTERNAL')
          this.#take({ kind: 'failed', message: error.message, hint: error.hint ?? '' });
        else this.#ended.reject(error);
      },
    );
    if (isDecision) this.#deciding = done;
  }

  async #carryOut(effect: InboxEffect): Promise<InboxInput> {
    const { app, workspace, identity } = this.#options;
    switch (effect.kind) {
      case 'page': {
        const page = await app.inbox({ workspace, identity, limit: effect.limit, afterId: effect.afterId });
        return { kind: 'page', page, afterId: effect.afterId };
      }
      case 'refresh': {
        const { itemId, limit } = effect;
        return itemId === null
          ? { kind: 'refreshed', page: await app.inbox({ workspace, identity, limit, afterId: null }), item: null }
          : { kind: 'refreshed', page: null, item: await app.inboxItem({ workspace, identity, item: itemId }) };
      }
      case 'open':
        return { kind: 'item', item: await app.inboxItem({ workspace, identity, item: effect.itemId }) };
      case 'resolve':
        return { kind: 'recorded', text: recordedText(await this.#resolve(effect)) };
      case 'answer':
        return { kind: 'recorded', text: recordedText(await this.#answer(effect)) };
      case 'decide-many':
        return this.#decideMany(effect);
      default:
        return assertNever(effect);
    }
  }

  async #resolve(what: Omit<Extract<InboxEffect, { kind: 'resolve' }>, 'kind'>): Promise<ResolvedItem> {
    const { app, workspace, identity, onDecided } = this.#options;
    const { itemId: item, outcome, comment } = what;
    const decided = await app.resolve({ workspace, identity, auth: LOCAL_AUTH, item, outcome, comment });
    onDecided(decided, this.#notify);
    return decided;
  }

  async #answer(what: Omit<Extract<InboxEffect, { kind: 'answer' }>, 'kind'>): Promise<ResolvedItem> {
    const { app, workspace, identity, onDecided } = this.#options;
    const { itemId: item, action, text } = what;
    const isAnswer = action === 'answer';
    const words = { answer: isAnswer ? text : null, comment: isAnswer ? '' : text };
    const decided = await app.answer({ workspace, identity, auth: LOCAL_AUTH, item, action, ...words });
    onDecided(decided, this.#notify);
    return decided;
  }

  /** One after the other: each is decided by the rule of its own gate, and refused by it. */
  async #decideMany(what: Extract<InboxEffect, { kind: 'decide-many' }>): Promise<InboxInput> {
    const { itemIds, areTasks, outcome, comment } = what;
    const refused: string[] = [];
    let count = 0;
    for (const itemId of itemIds) {
      // Whoever leaves meanwhile decides nothing more.
      if (this.#state.left !== null) break;
      try {
        if (areTasks) await this.#resolve({ itemId, outcome, comment });
        else await this.#answer({ itemId, action: outcome === 'approve' ? 'approve' : 'reject', text: comment });
        count += 1;
      } catch (error) {
        if (!isKitError(error) || error.code === 'KIT_INTERNAL') throw error;
        refused.push(`${itemId}: ${error.message}`);
      }
    }
    const text = `${count} of ${itemIds.length} recorded`;
    const [first] = refused;
    return first === undefined
      ? { kind: 'recorded', text }
      : { kind: 'recorded', tone: 'warn', text: `${text}; ${refused.length} refused, the first: ${first}` };
  }

  #view(size: { readonly columns: number; readonly rows: number }): ReactNode {
    const frame = inboxFrame(this.#state, size, (item, width, look) => this.#bodyOf(item, width, look));
    this.#state = reduceInbox(this.#state, { kind: 'drawn', size: frame.size }).state;
    return <InboxFrameView frame={frame} columns={size.columns} color={this.#options.color} />;
  }

  #bodyOf(item: InboxItem, columns: number, { folds, fileAt }: DiffLook): ItemBody {
    const kept = this.#body;
    if (kept?.item === item && kept.columns === columns && kept.folds === folds && kept.fileAt === fileAt)
      return kept.body;
    const body = itemBody(item, columns, { folds, fileAt });
    this.#body = { item, columns, folds, fileAt, body };
    return body;
  }
}

function InboxFrameView({
  frame,
  columns,
  color,
}: {
  readonly frame: InboxFrame;
  readonly columns: number;
  readonly color: boolean;
}): ReactNode {
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
