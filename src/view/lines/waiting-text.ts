import type { EventPayloads } from '../../domain/generated/events.js';
import { type EventText, name, say } from './say.js';

/** A run that waits for a provider says why, and when it goes on. */
export function waitingText({ reason, tries, until }: EventPayloads['step.waiting']): EventText {
  const at = until.slice(0, 19).replace('T', ' ');
  return say('warn', `the provider is down (${name(reason)}, try ${tries}): waits until ${name(at)} UTC`);
}
