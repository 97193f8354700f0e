import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { type InboxKey, inboxKeyOf } from '../text/inbox/inbox-key.js';
import { oneLine } from '../view/lines/words.js';
import type { JobControl, Keys } from './keys.js';

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

/**
 * Reads keys one by one; Ctrl-C and Ctrl-Z are keys then, no signals. However the process ends,
 * `onExit` puts the terminal back.
 */
export function readInboxKeys({ stdin, stdout, jobControl }: InboxTerminal, onKey: (key: InboxKey) => void): Keys {
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
