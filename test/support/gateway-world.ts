import type { Decision } from '../../src/domain/ports/governance.js';
import { withTools } from '../engine/tools/tool-world.js';
import { type Answer, fakeServer, serverTool, toolSkill } from './fake-tools.js';
import { type HarnessWorld, openHarness } from './harness-world.js';
import type { World, WorldOptions } from './run-world.js';

const WRITES = { readOnly: false, destructive: false, idempotent: false };
/** A call of the skill `say`, as Claude Code spells it. */
export const say = (text: string, id?: string) => ({
  call: 'mcp__kit__say',
  input: { text },
  ...(id === undefined ? {} : { id }),
});

export interface GatewayScene extends HarnessWorld {
  readonly answers?: Answer;
  readonly decideOn?: (action: string) => Decision;
  readonly permission?: 'open' | 'cautious' | 'strict';
}

/** A run of a harness whose agent holds `say`, a tool of a server in this process. */
export async function openGatewayWorld(
  open: (options: WorldOptions) => Promise<World>,
  { answers, decideOn, permission = 'open', ...of }: GatewayScene,
) {
  const server = fakeServer([serverTool('say', { hints: WRITES })], answers);
  const world = await openHarness(open, {
    skills: [toolSkill('say')],
    with: (options) => withTools(server.source, deciding(options, decideOn), { permission }),
    ...of,
  });
  return { world, server };
}

const deciding = (options: WorldOptions, decideOn: GatewayScene['decideOn']): WorldOptions =>
  decideOn === undefined
    ? options
    : {
        ...options,
        facilities: (base) => ({ ...options.facilities?.(base), decide: async ({ action }) => decideOn(action) }),
      };
