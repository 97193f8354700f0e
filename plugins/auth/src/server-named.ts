import { Flags, KitError, type ProcessSettings } from '@kit-run/kit/command';

/** The address as every other command takes it. */
export const asFlag = { server: Flags.string({ description: 'The same as SERVER.', helpValue: 'URL', hidden: true }) };

/** The address that was written, else KIT_SERVER. Throws KIT_USAGE where there is neither. */
export function serverNamed(given: string | undefined, { server }: Pick<ProcessSettings, 'server'>): string {
  const named = given ?? server;
  if (named !== null) return named;
  throw new KitError('KIT_USAGE', 'no server is named', {
    hint: 'Write its address: kit auth login https://kit.example.com, or set KIT_SERVER.',
  });
}
