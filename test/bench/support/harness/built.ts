// What people run: the parts as the build wrote them, under the types of their sources.
import type * as executor from '../../../../plugins/harness/src/executor.js';
import type * as launchSocket from '../../../../plugins/harness/src/gate/launch-socket.js';
import type * as openGate from '../../../../plugins/harness/src/gate/open-gate.js';
import type * as clock from '../../../../src/system/clock.js';
import type * as processes from '../../../../src/system/processes/processes.js';
import type * as worktrees from '../../../../src/system/worktrees/worktrees.js';

const built = <T>(path: string): Promise<T> => import(new URL(`../../../../${path}`, import.meta.url).href);

export const loadBuilt = async () => ({
  ...(await built<typeof executor>('plugins/harness/dist/executor.js')),
  ...(await built<typeof launchSocket>('plugins/harness/dist/gate/launch-socket.js')),
  ...(await built<typeof openGate>('plugins/harness/dist/gate/open-gate.js')),
  ...(await built<typeof clock>('dist/system/clock.js')),
  ...(await built<typeof processes>('dist/system/processes/processes.js')),
  ...(await built<typeof worktrees>('dist/system/worktrees/worktrees.js')),
});
