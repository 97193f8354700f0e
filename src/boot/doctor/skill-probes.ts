import { resolve } from 'node:path';
import { checkReference, checkToolServer } from '../../app/doctor/checks/workspace.js';
import { referencesOf } from '../../app/submit/references-of.js';
import { workersOf } from '../../compile/link/walk-agents.js';
import { readReference } from '../../domain/reference.js';
import type { Workspace } from '../../domain/workspace.js';
import { whichProgram } from '../../system/which-program.js';
import type { DoctorCheck } from '../../view/doctor-report.js';
import type { BootSession } from '../parts.js';

type Session = () => Promise<BootSession>;

/** Skills that some agent holds, and the tool servers that these call. */
function heldOf({ topologies, linkedFunnels, skills, servers }: Workspace) {
  const agents = [...topologies.values()].flatMap(({ root }) => workersOf(root, (id) => linkedFunnels.get(id)));
  const ids = new Set(agents.flatMap((agent) => agent.skills));
  const held = [...skills].filter(([id]) => ids.has(id));
  const called = new Set(
    held.flatMap(([, { implementation }]) => (implementation.type === 'mcp_tool' ? [implementation.server] : [])),
  );
  return { skills: held, servers: [...servers].filter(([id]) => called.has(id)) };
}

/** Programs of tool servers; what runs in a container lies in its image. */
export async function lookAtToolServers({
  env,
  session,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly session: Session;
}): Promise<readonly DoctorCheck[]> {
  const { workspace } = await session();
  const used = new Set(heldOf(workspace).servers.map(([id]) => id));
  const looked = [...workspace.servers.values()].map(async ({ id, config }) => {
    const [binary] = Array.isArray(config.command) ? config.command : [];
    if (typeof binary !== 'string' || config.sandboxed === true) return [];
    const place = resolve(workspace.root, typeof config.cwd === 'string' ? config.cwd : '.', binary);
    const path = await whichProgram(binary.includes('/') ? place : binary, env.PATH);
    return [checkToolServer({ id, binary, path, isUsed: used.has(id) })];
  });
  return (await Promise.all(looked)).flat();
}

/** The program of a tool server is left out. */
const namedBy = ({ skills, servers }: ReturnType<typeof heldOf>): Readonly<Record<string, string>> =>
  referencesOf({
    providers: {},
    adapters: {},
    skills: Object.fromEntries(skills),
    servers: Object.fromEntries(
      servers.map(([id, server]) => [id, { ...server, config: { ...server.config, command: null } }]),
    ),
  });

/**
 * Variables that skills and tool servers name, and programs that skills start, as far as they are
 * not here: a call would fail. Credentials, and programs of tool servers, have checks of their own.
 */
export async function lookAtReferences(session: Session): Promise<readonly DoctorCheck[]> {
  const { workspace, prepare } = await session();
  const used = namedBy(heldOf(workspace));
  const all = { ...namedBy({ skills: [...workspace.skills], servers: [...workspace.servers] }), ...used };
  const found = new Set(await prepare.findReferences(Object.keys(all)));
  return Object.entries(all).flatMap(([text, user]) => {
    const reference = readReference(text);
    return reference === null || found.has(text)
      ? []
      : checkReference({ reference, user, isUsed: Object.hasOwn(used, text) });
  });
}
