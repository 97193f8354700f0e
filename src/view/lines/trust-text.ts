import type { StoredEvent } from '../../domain/events.js';
import { assertNever } from '../../lib/assert-never.js';
import { type EventText, say, whisper } from './say.js';

type TrustEvent = Extract<StoredEvent, { type: 'trust.denied' | 'trust.degraded' | 'intent.drift' }>;

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
    default:
      return assertNever(event);
  }
}
