import type { StoredEvent } from '../../domain/events.js';
import { assertNever } from '../../lib/assert-never.js';
import { type EventText, say, whisper } from './say.js';
import { oneLine } from './words.js';

type TrustEvent = Extract<StoredEvent, { type: `trust.${string}` | 'intent.drift' }>;

/** How far an agent is trusted, and how far an answer is from what was asked. */
export function trustText(event: TrustEvent): EventText {
  switch (event.type) {
    case 'trust.denied': {
      const { score } = event.payload;
      return say(
        'bad',
        score === null
          ? 'not let run: how far it is trusted could not be read'
          : `not let run: its trust score is ${score}`,
      );
    }
    case 'trust.degraded':
      return say('warn', `runs ${event.payload.tier}: its trust score is ${event.payload.score}`);
    case 'intent.drift': {
      const { drift_score: score, threshold, action } = event.payload;
      const text = `answer is ${score} away from what was asked (threshold ${threshold})`;
      if (action === 'none') return whisper(text);
      return say(action === 'log' ? 'plain' : 'warn', action === 'nudge' ? `${text}; it is asked again` : text);
    }
    case 'trust.counted': {
      const { decision, by_user: by } = event.payload;
      return whisper(`${decision} by ${oneLine(by, 60)}, counted for ${whatOf(event.payload)}`);
    }
    case 'trust.changeset_proposed':
      return say(
        'strong',
        `approved ${event.payload.approvals} times: kit trust list proposes to allow ${whatOf(event.payload)}`,
      );
    case 'trust.applied':
      return say(
        'strong',
        `${oneLine(event.payload.by_user, 60)} allowed ${whatOf(event.payload)} in ${oneLine(event.payload.path, 200)}`,
      );
    case 'trust.cleared':
      return say('plain', `${oneLine(event.payload.by_user, 60)} has ${whatOf(event.payload)} counted anew`);
    default:
      return assertNever(event);
  }
}

const whatOf = ({
  archetype,
  kind,
  match,
}: {
  readonly archetype: string;
  readonly kind: string;
  readonly match: string;
}): string => `${kind} ${oneLine(match, 200)} of ${oneLine(archetype, 60)}`;
