import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { oneLine } from '../../view/lines/words.js';
import type { JobControl } from '../live/keys.js';

/**
 * A key as the inbox knows it; everything that a person can type is `text`, and what they paste
 * comes as a whole: its line breaks are no keys.
 */
export type InboxKey =
  | { readonly kind: 'text' | 'paste'; readonly text: string }
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

type NamedKey = Exclude<InboxKey['kind'], 'text' | 'paste'>;

const NAMED: Readonly<Record<string, NamedKey>> = {
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
const CONTROLS: Readonly<Record<string, NamedKey>> = { c: 'interrupt', z: 'suspend', u: 'clear' };

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

/** The terminal says where pasted text begins and ends. */
const MARK_PASTES = '\u001b[?2004h';
const MARK_NO_PASTES = '\u001b[?2004l';
/** Characters of one paste; more than anybody reads in a comment. */
const MAX_PASTE = 10_000;
/**
 * How long an escape waits for the rest of a sequence, in milliseconds: the bytes of one key come
 * together, and a person who goes back is not kept waiting, nor is their next key taken for a part
 * of it.
 */
const ESCAPE_MS = 100;

/** Both ends of the terminal, and the end of the process. */
export interface InboxTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly jobControl: Pick<JobControl, 'onExit'>;
}

/** Keys of a terminal, read without echo until `close`. */
export interface InboxKeys {
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * Reads keys one by one; Ctrl-C and Ctrl-Z are keys then, no signals. However the process ends,
 * `onExit` puts the terminal back.
 */
export function readInboxKeys({ stdin, stdout, jobControl }: InboxTerminal, onKey: (key: InboxKey) => void): InboxKeys {
  let pasted: string | null = null;
  const onKeypress = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted = '';
    else if (key.name === 'paste-end') {
      const whole = pasted ?? '';
      pasted = null;
      onKey({ kind: 'paste', text: oneLine(whole, MAX_PASTE) });
    } else if (pasted === null) onPressed(text, key);
    else if (pasted.length < MAX_PASTE) pasted += text ?? key.sequence ?? '';
  };
  const onPressed = (text: string | undefined, key: Key): void => {
    const known = inboxKeyOf(text, key);
    if (known !== null) onKey(known);
  };
  // A terminal that went away ends the reading; the hangup signal says the rest.
  const onError = (): void => undefined;
  const setRaw = (isRaw: boolean): void => {
    try {
      stdout.write(isRaw ? MARK_PASTES : MARK_NO_PASTES);
      stdin.setRawMode(isRaw);
    } catch {
      // The terminal is gone; there is nothing to put back.
    }
  };
  const restore = (): void => setRaw(false);
  // Of all that an interface is, this alone is read of it.
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  stdin.on('error', onError);
  stdin.on('keypress', onKeypress);
  const release = jobControl.onExit(restore);
  setRaw(true);
  stdin.resume();
  return {
    pause: restore,
    resume: () => setRaw(true),
    close: () => {
      release();
      stdin.off('keypress', onKeypress);
      restore();
      stdin.pause();
      // Node would wait for another key before it ends.
      stdin.unref();
    },
  };
}
