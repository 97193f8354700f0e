import { describe, expect, it } from 'vitest';
import type { EventType, StoredEvent } from '../../src/domain/events.js';
import { eventText } from '../../src/view/lines/event-text.js';
import { factText } from '../../src/view/situation/wire-situation.js';
import { type AnySketch, storedEvents } from '../support/stored-events.js';
import { LINES } from './lines-of-events.js';

function eventOf(type: EventType, payload: object): StoredEvent {
  // what else the payload of this type holds is not part of the line
  const [event] = storedEvents([{ type, payload, agentId: 'lead', stepKey: 'root' } as unknown as AnySketch]);
  if (event === undefined) throw new Error('a sketch is an event');
  return event;
}

describe('the line of an event', () => {
  // Each type is one of its keys.
  it.each(Object.keys(LINES) as EventType[])('%s', (type) => {
    const shown = Object.values<object>(LINES[type]).map((payload) => {
      const { tone, text, detail } = eventText(eventOf(type, payload));
      return `${tone}${detail ? ' detail' : ''}: ${text}`;
    });
    expect(shown).toEqual(Object.keys(LINES[type]));
    expect(shown).not.toEqual([]);
  });

  it('names the agent where it is a fact of a situation', () => {
    expect(factText(eventOf('skill.gap', { tool: 'fly', available: [] }))).toBe(
      'lead: called fly, which it does not hold',
    );
  });

  it('holds no second line and no escape sequence of what comes from outside', () => {
    const event = eventOf('policy.denied', { action: 'a\nb\u001b[31m', reason: 'c\rd' });
    expect(eventText(event).text).not.toMatch(/\p{Cc}/u);
  });
});
