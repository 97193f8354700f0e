import { defineTrigger } from '@kit-run/kit/plugin';

/**
 * Trigger type `manual`: nothing fires by itself; people do, with `kit triggers fire` or `POST
 * /triggers/<id>/fire`.
 */
export const contribution = defineTrigger({ create: () => ({ ready: async () => null }) });
