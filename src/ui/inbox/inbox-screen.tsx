import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { InboxItem } from '../../app/review/review-app.js';
import type { InboxOptions } from '../../app/screens.js';
import { isKitError } from '../../domain/errors.js';
import { LOCAL_DOOR } from '../../domain/gates.js';
import { assertNever } from '../../lib/assert-never.js';
import { FullScreen, type FullScreenParts } from '../full-screen/full-screen.js';
import { styleOf } from '../live/frame-view.js';
import { type InboxFrame, inboxFrame } from './inbox-layout.js';
import { type InboxEffect, type InboxInput, type InboxState, openInbox, reduceInbox } from './inbox-state.js';
import { type ItemBody, itemBody } from './item-lines.js';
import { recordedText } from './recorded-text.js';

/** Rows of a page: several screens, and never the whole of a long list. */
const PAGE_ROWS = 50;

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
  /** The wrapped text of the open item, for as long as item and width stay. */
  #body: { readonly item: InboxItem; readonly columns: number; readonly body: ItemBody } | null = null;

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
    try {
      return await this.#screen.during(this.#options.signal, () => {
        this.#act({ kind: 'page', afterId: null });
        return this.#ended.promise;
      });
    } finally {
      // A decision that is being recorded is told of, whoever leaves meanwhile.
      await this.#deciding;
    }
  }

  readonly #tell = (text: string): void => this.#take({ kind: 'told', text });

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
    const isDecision = effect.kind === 'resolve' || effect.kind === 'answer';
    const done = this.#carryOut(effect).then(
      (input) => this.#take(input),
      (error: unknown) => {
        if (isKitError(error) && error.code !== 'KIT_INTERNAL')
          this.#take({ kind: 'failed', message: error.message, hint: error.hint ?? '' });
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
        onDecided(decided, this.#tell);
        return { kind: 'recorded', itemId: item, text: recordedText(decided) };
      }
      case 'answer': {
        const { itemId: item, action, text } = effect;
        const decided = await app.answer({
          workspace,
          identity,
          door: LOCAL_DOOR,
          item,
          action,
          answer: action === 'answer' ? text : null,
          comment: action === 'answer' ? '' : text,
        });
        onDecided(decided, this.#tell);
        return { kind: 'recorded', itemId: item, text: recordedText(decided) };
      }
      default:
        return assertNever(effect);
    }
  }

  #view(size: { readonly columns: number; readonly rows: number }): ReactNode {
    const frame = inboxFrame(this.#state, size, (item, width) => this.#bodyOf(item, width));
    this.#state = reduceInbox(this.#state, { kind: 'drawn', size: frame.size }).state;
    return <InboxFrameView frame={frame} columns={size.columns} color={this.#options.color} />;
  }

  #bodyOf(item: InboxItem, columns: number): ItemBody {
    if (this.#body?.item !== item || this.#body.columns !== columns)
      this.#body = { item, columns, body: itemBody(item, columns) };
    return this.#body.body;
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
