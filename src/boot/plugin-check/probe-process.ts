// Loads one module of a plugin: argv[2] = its URL. Started under Node's permission model, so that
// nothing can be written and no process started. It ends by itself unless the module keeps it
// alive.
import { probeModule } from '../../testing/check/probe.js';

const [, , url] = process.argv;
// What the exports themselves do is not the plugin's.
await Promise.all([import('../../sdk/plugin.js'), import('../../sdk/command.js')]);
const report = await probeModule(url ?? '', process.env);
process.send?.(report, () => process.disconnect());
