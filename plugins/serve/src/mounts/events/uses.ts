import type { App } from '@kit-run/kit/command';

/** What these routes call. */
export type EventsUses = Pick<App, 'events'>;
