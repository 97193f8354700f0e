import { emitKeypressEvents, type Key } from 'node:readline';

/** A key as the inbox knows it; everything that a person can type is `text`. */
export type InboxKey =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind:
        | 'up'
        | 'down'
        | 'page-up'
        | 'page-down'
        | 'home'
        | 'end'
        | 'enter'
        | 'tab'
        | 'escape'
        | 'backspace'
        | 'clear'
        | 'interrupt'
        | 'suspend';
    };

const NAMED: Readonly<Record<string, Exclude<InboxKey['kind'], 'text'>>> = {
  up: 'up',
  down: 'down',
  pageup: 'page-up',
  pagedown: 'page-down',
  home: 'home',
  end: 'end',
  return: 'enter',
  enter: 'enter',
  tab: 'tab',
  escape: 'escape',
  backspace: 'backspace',
};

/** Ctrl and a letter; the rest of them does nothing. */
const CONTROLS: Readonly<Record<string, Exclude<InboxKey['kind'], 'text'>>> = { c: 'interrupt', z: 'suspend', u: 'clear' };

/** What Node made of a key press; null for one that means nothing here. */
export function inboxKeyOf(text: string | undefined, key: Pick<Key, 'name' | 'ctrl' | 'meta'>): InboxKey | null {
  const name = key.name ?? '';
  if (key.ctrl === true) {
    const kind = CONTROLS[name];
    return kind === undefined ? null : { kind };
  }
  const kind = NAMED[name];
  if (kind !== undefined) return { kind };
  return text === undefined || key.meta === true || !isPrintable(text) ? null : { kind: 'text', text };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const isPrintable = (text: string): boolean => text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text);

/** Keys of a terminal, read without echo until `close`. */
export interface InboxKeys {
  pause(): void;
  resume(): void;
  close(): void;
}

/** Reads keys one by one; Ctrl-C and Ctrl-Z are keys then, no signals. However the process ends, `exit` puts the terminal back. */
export function readInboxKeys(stdin: NodeJS.ReadStream, onKey: (key: InboxKey) => void): InboxKeys {
  const onKeypress = (text: string | undefined, key: Key): void => {
    const known = inboxKeyOf(text, key);
    if (known !== null) onKey(known);
  };
  // A terminal that went away ends the reading; the hangup signal says the rest.
  const onError = (): void => undefined;
  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode(isRaw);
    } catch {
      // The terminal is gone; there is nothing to put back.
    }
  };
  const restore = (): void => setRaw(false);
  emitKeypressEvents(stdin);
  stdin.on('error', onError);
  stdin.on('keypress', onKeypress);
  process.once('exit', restore);
  setRaw(true);
  stdin.resume();
  return {
    pause: restore,
    resume: () => setRaw(true),
    close: () => {
      process.off('exit', restore);
      stdin.off('keypress', onKeypress);
      restore();
      stdin.pause();
      // Node would wait for another key before it ends.
      stdin.unref();
    },
  };
}
