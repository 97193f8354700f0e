import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { artifactRoutes } from './artifact-routes.js';
import { gateRoutes } from './gate-routes.js';
import { inboxRoutes } from './inbox-routes.js';
import { itemRoutes } from './item-routes.js';
import type { ReviewUses } from './uses.js';
import { whyRoutes } from './why-routes.js';

const mount: HttpMount<ReviewUses> = {
  register(server, served) {
    gateRoutes(server, served);
    itemRoutes(server, served);
    inboxRoutes(server, served);
    artifactRoutes(server, served);
    whyRoutes(server, served);
  },
};

/** Gates, review items, inboxes and artifacts. */
export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
