import type { PluginContext } from '@kit-run/kit/plugin';

/** What everything around logins has of the host. */
export type Parts = Pick<PluginContext, 'clock' | 'log' | 'outbound' | 'vault' | 'signal'>;

/** Kinds of what is kept: a token by credential and owner, a login under way by its state. */
export const TOKEN = 'token';
export const LOGIN = 'login';

/** How long a login may take. */
export const LOGIN_MS = 600_000;
