import { expect, it } from 'vitest';
import { assertServers } from '../../../src/app/submit/assert-servers.js';
import type { PluginHost } from '../../../src/domain/extension-points.js';
import { linkedServer, toolSkill } from '../../support/fake-tools.js';

const workspace = { servers: new Map([['files', linkedServer('files')]]) };
const having = (names: readonly string[]): Pick<PluginHost, 'find'> => ({
  find: (point, name) =>
    names.includes(`${point}/${name}`)
      ? { point, id: name, name, title: name, plugin: 'p', effects: [], configSchema: null, adapters: [], mount: null }
      : null,
});

it('lets a run through whose servers are declared and can be opened', () => {
  expect(() => assertServers({ workspace, plugins: having(['toolSources/mcp']) }, [toolSkill('say')])).not.toThrow();
});

it('refuses a run that reaches a server which nobody declares, and says which one is like it', () => {
  const skill = toolSkill('say', { implementation: { type: 'mcp_tool', server: 'file', tool: 'say', arguments: {} } });

  expect(() => assertServers({ workspace, plugins: having(['toolSources/mcp']) }, [skill])).toThrow(
    expect.objectContaining({ code: 'KIT_TOOL_SERVER_UNKNOWN', hint: expect.stringContaining('files') }),
  );
});

it('refuses a run whose servers no installed plugin opens', () => {
  expect(() => assertServers({ workspace, plugins: having([]) }, [toolSkill('say')])).toThrow(
    expect.objectContaining({ code: 'KIT_TOOL_SERVER_UNKNOWN', hint: expect.stringContaining('Install a plugin') }),
  );
});
