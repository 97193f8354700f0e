import { defineToolSource } from '@kit-run/kit/plugin';
import { optionsOf } from './options.js';
import { openServer } from './server/open-server.js';

/** Tool source `mcp`: servers that speak the Model Context Protocol over stdio or HTTP. */
export const contribution = defineToolSource({
  create: (config, plugin) => {
    const options = optionsOf(config);
    return { open: (server, context) => openServer({ server, context, plugin, options }) };
  },
});
