import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Job } from '@kit-run/kit/command';

/** What a ticket is made from: a run, and the digest of its snapshot, which nothing shows. */
type Ticketed = Pick<Job, 'id' | 'snapshot'>;

const macOf = ({ id, snapshot }: Ticketed, caller: string): string =>
  createHmac('sha256', snapshot).update(`${id}\n${caller}`).digest('base64url');

/**
 * What a client hands back to join the run that its call began. Every server of the store reads it,
 * also after a restart, and it is good for its caller alone.
 */
export const ticketOf = (job: Ticketed, caller: string): string => `${job.id}.${macOf(job, caller)}`;

/** The id that a ticket names; '' = it is none. Whether it is genuine, `isGenuine` tells. */
export const jobOfTicket = (ticket: string): string => /^[0-9a-f]{12}(?=\.)/.exec(ticket)?.[0] ?? '';

export function isGenuine(ticket: string, job: Ticketed, caller: string): boolean {
  const [sent, made] = [Buffer.from(ticket), Buffer.from(ticketOf(job, caller))];
  return sent.length === made.length && timingSafeEqual(sent, made);
}
