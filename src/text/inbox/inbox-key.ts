/**
 * A key as the inbox knows it; everything that a person can type is `text`, and what they paste
 * comes as a whole: its line breaks are not keys.
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

/** What Node tells of a key beside the text that it gives. */
export interface PressedKey {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** What Node made of a key press; null for one that means nothing here. */
export function inboxKeyOf(text: string | undefined, key: PressedKey): InboxKey | null {
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
