import type { StoredEvent } from '../../domain/events.js';
import { isServerPlace, type PastePlace, placeWord, sentPlaceWord, shellWord } from '../../lib/shell-word.js';
import { eventText } from '../lines/event-text.js';
import { oneLine } from '../lines/words.js';
import type { WireSituation } from '../schemas/why.js';
import type { Situation } from './situation.js';

/**
 * The next command as one types it at the place. A server refuses the name of anybody but the one
 * who is signed in; what names somebody may be sent to them.
 */
export function commandLine({ command }: Pick<Situation, 'command'>, place: PastePlace): string {
  const who = isServerPlace(place) ? command.indexOf('--as') : -1;
  const words = who === -1 ? command : command.toSpliced(who, 2);
  const word = who === -1 ? placeWord(place, ' -w ') : sentPlaceWord(place, ' -w ');
  return `${words.map(shellWord).join(' ')}${word}`;
}

/** What the log says, with the agent that it says it of. */
export function factText(event: StoredEvent): string {
  const { text } = eventText(event);
  return event.agentId === null ? text : `${oneLine(event.agentId, 60)}: ${text}`;
}

/** A situation as CLI and HTTP show it. */
export function toWireSituation(
  situation: Situation,
  facts: readonly StoredEvent[],
  workspaceArgument: PastePlace,
): WireSituation {
  const { code, cause, actors, fact } = situation;
  return {
    code,
    cause,
    actors: actors.map(({ kind, names }) => ({ kind, names })),
    facts: facts.map((event) => ({
      seq: event.seq,
      event_id: event.eventId,
      at: event.timestamp,
      type: event.type,
      text: factText(event),
    })),
    next: { command: commandLine(situation, workspaceArgument), fact },
  };
}
