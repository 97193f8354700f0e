import { defineEventSink, type EventSink, type SinkOutcome } from '@kit-run/kit/plugin';

const STDOUT: EventSink = {
  deliver: (entry) =>
    new Promise<SinkOutcome>((resolve) => {
      process.stdout.write(`${JSON.stringify(entry)}\n`, (error) => {
        // Nobody will read the next line either.
        resolve(error ? { kind: 'rejected', detail: 'stdout is closed' } : { kind: 'delivered' });
      });
    }),
};

/** Event sink `stdout`, for development: one line of JSON an event. */
export const contribution = defineEventSink({ create: () => ({ ...STDOUT }) });
