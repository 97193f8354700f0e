import { expect, it } from 'vitest';
import { isGenuine, jobOfTicket, ticketOf } from '../../../../plugins/protocols/src/mcp/call/call-tool.js';

const JOB = { id: '0123456789ab', snapshot: 'a'.repeat(64) };

it('is good for its run and its caller alone', () => {
  const ticket = ticketOf(JOB, 'alice');

  expect(jobOfTicket(ticket)).toBe(JOB.id);
  expect(isGenuine(ticket, JOB, 'alice')).toBe(true);
  expect(isGenuine(ticket, JOB, 'bob')).toBe(false);
  expect(isGenuine(ticket, { ...JOB, snapshot: 'b'.repeat(64) }, 'alice')).toBe(false);
  expect(isGenuine(ticketOf({ ...JOB, id: 'ffffffffffff' }, 'alice'), JOB, 'alice')).toBe(false);
});

it.each(['', '.', 'x', '0123456789ab', '0123456789AB.x', '../../0123456789ab.x'])('names no run in %j', (text) => {
  expect(jobOfTicket(text)).toBe('');
  expect(isGenuine(text, JOB, 'alice')).toBe(false);
});
