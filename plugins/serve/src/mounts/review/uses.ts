import type { App } from '@kit-run/kit/command';

/** What these routes call. */
export type ReviewUses = Pick<App, 'review' | 'artifacts'>;
