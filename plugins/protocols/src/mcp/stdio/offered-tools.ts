import type { Offered } from '@kit-run/kit/command';
import { fitsWildcard, KitError } from '@kit-run/kit/plugin';
import { ONE_WORKSPACE, type TopologyTool, topologyTool } from '../tools/topology-tools.js';

/** A workspace that is served, and what it offers. */
export interface ServedWorkspace {
  /** Absolute directory. */
  readonly directory: string;
  readonly offered: Offered;
}

/** Clients hand names of tools to models, which take no longer ones. */
const MAX_NAME_CHARS = 64;

const HINT = 'Choose among them: --topology NAME, once or several times; * stands for anything.';

const refused = (message: string): KitError => new KitError('KIT_USAGE', message, { hint: HINT });

/** `run_<topology>`; with several workspaces `run_<workspace>_<topology>`. */
const namingOf = ({ id }: Offered, isAlone: boolean) =>
  isAlone ? ONE_WORKSPACE : { prefix: `run_${id}_`, about: `${id}: ` };

function assertNames(tools: readonly TopologyTool[]): void {
  const names = tools.map(({ definition }) => definition.name);
  const long = names.filter((name) => name.length > MAX_NAME_CHARS);
  if (long.length > 0) throw refused(`names of tools have at most ${MAX_NAME_CHARS} characters: ${long.join(', ')}`);
  const twice = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  if (twice.length > 0) throw refused(`two topologies would be one tool: ${twice.join(', ')}`);
}

/**
 * The tools of some workspaces: of all their topologies, or of those that fit one of the globs.
 * Throws KIT_USAGE for a glob that fits none, a name that is too long, and names that clash.
 */
export function offeredTools(
  workspaces: readonly ServedWorkspace[],
  globs: readonly string[],
): readonly TopologyTool[] {
  const isAlone = workspaces.length === 1;
  const tools = workspaces.flatMap(({ directory, offered }) =>
    offered.topologies.map((topology) => topologyTool(topology, directory, namingOf(offered, isAlone))),
  );
  const fits = (glob: string) => (tool: TopologyTool) => fitsWildcard(glob, tool.topology);
  const idle = globs.filter((glob) => !tools.some(fits(glob)));
  if (idle.length > 0) {
    const known = [...new Set(tools.map(({ topology }) => topology))].join(', ');
    throw refused(`no topology is called ${idle.join(', ')}; there are ${known === '' ? 'none' : known}`);
  }
  const chosen = globs.length === 0 ? tools : tools.filter((tool) => globs.some((glob) => fits(glob)(tool)));
  assertNames(chosen);
  return chosen;
}
