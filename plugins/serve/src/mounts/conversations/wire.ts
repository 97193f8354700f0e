import type { Conversation } from '@kit-run/kit/command';

interface WireTurn {
  readonly role: 'human' | 'swarm';
  readonly content: string;
  readonly timestamp: string;
  readonly job_id: string;
}

/** What was said, in order; a turn whose run has no answer yet is the person's part alone. */
export const turnsOf = (turns: Conversation['turns']): readonly WireTurn[] =>
  turns.flatMap(({ jobId, message, createdAt, answer, answeredAt }): readonly WireTurn[] => [
    { role: 'human', content: message, timestamp: createdAt, job_id: jobId },
    ...(answer === null
      ? []
      : [{ role: 'swarm' as const, content: answer, timestamp: answeredAt ?? createdAt, job_id: jobId }]),
  ]);
