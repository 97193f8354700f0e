import type { MissingLogin } from '../domain/consent.js';
import { shellWord } from '../lib/shell-word.js';

/** What a person types to log in; `local` is whose logins those of a command line are. */
export const loginLine = ({ credential, owner }: MissingLogin): string =>
  `kit credentials login ${shellWord(credential)}${owner === 'local' ? '' : ` --owner ${shellWord(owner)}`}`;
