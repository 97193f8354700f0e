import type { App } from '../app/app.js';

/** The use cases of a process, and how it leaves them. */
export interface BootedApp extends App {
  /**
   * Takes nothing new and hands back at once what is executed here: the process is about to end.
   */
  leave(): Promise<void>;
}

/** `leave` of a process in which triggers fire, or which works as a worker. */
export async function leaveApp(
  { triggers, serve, work }: Pick<App, 'triggers' | 'serve' | 'work'>,
  has: { readonly hasTriggers: boolean; readonly isWorking: boolean },
): Promise<void> {
  if (has.hasTriggers) await triggers.stop().catch(() => undefined);
  await Promise.all([serve.drain(0), ...(has.isWorking ? [work.drain(0)] : [])]);
}
