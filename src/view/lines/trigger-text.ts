import type { StoredEvent } from '../../domain/events.js';
import { type EventText, name, say } from './say.js';

/** One line of `trigger.fired`: who or what fired, and what came of each target. */
export function triggerText({ payload }: Extract<StoredEvent, { type: 'trigger.fired' }>): EventText {
  const targets = payload.targets.map(
    ({ target, job_id: job, refused }) =>
      `${name(target)}${refused === null ? (job === null ? '' : ` as run ${job}`) : ` refused (${refused})`}`,
  );
  const by = payload.by === null ? '' : ` by ${name(payload.by)}`;
  const isRefused = payload.targets.some(({ refused }) => refused !== null);
  return say(isRefused ? 'warn' : 'plain', `trigger ${name(payload.trigger)} fired${by}: ${targets.join(', ')}`);
}
