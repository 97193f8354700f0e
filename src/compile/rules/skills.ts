import { INTERFACE_LEVEL } from '../../domain/interface-level.js';
import type { JsonObject } from '../../domain/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { packCommands, placeholdersOf } from '../link/command-packs.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { compareVersions, topologyOf } from '../link/topology-of.js';
import { agentsOf } from '../link/walk-agents.js';
import { objectAt, objectsAt, textAt, textsAt } from '../read.js';
import { didYouMean, orMake, type Report } from '../report.js';
import { findCycles } from './cycles.js';

interface Scope {
  readonly linked: Linked;
  readonly id: string;
  readonly artifact: Art;
  readonly implementation: JsonObject;
  readonly report: Report;
}

function checkComposed(scope: Scope): void {
  const { artifact, implementation, report, linked } = scope;
  textsAt(implementation, 'composes').forEach((member, index) => {
    if (linked.skills.has(member) || linked.registries.skills.has(member)) return;
    report.add(
      { artifact, pointer: pointerTo('', 'implementation', 'composes', index) },
      {
        code: 'skill.composed-unknown',
        message: `no skill is called \`${member}\``,
        help: didYouMean(member, linked.skills.keys()),
      },
    );
  });
}

function checkTool(scope: Scope): void {
  const server = textAt(scope.implementation, 'server') ?? '';
  const servers = objectsAt(scope.linked.registries.config.value, 'mcp_servers').map(
    (entry) => textAt(entry, 'id') ?? '',
  );
  if (servers.includes(server)) return;
  // A catalogue of skills is shared by workspaces that declare different servers: only where an
  // agent has the skill, its runs need the server.
  const isReached = [...scope.linked.topologies.values()].some(({ root }) =>
    agentsOf(root).some(({ skills }) => skills.includes(scope.id)),
  );
  scope.report.add(
    { artifact: scope.artifact, pointer: '/implementation/server' },
    {
      code: 'skill.unknown-server',
      severity: 'warning',
      ...(isReached ? { label: 'agents have this skill' } : {}),
      message: `no MCP server is called \`${server}\``,
      help:
        orMake(didYouMean(server, servers), 'tool-server', server, ' -- COMMAND') ??
        'declare it under `mcp_servers` in workspace.yaml',
    },
  );
}

function checkCommand(scope: Scope): void {
  const { artifact, implementation, report } = scope;
  const pack = textAt(implementation, 'pack') ?? '';
  const command = textAt(implementation, 'command') ?? '';
  const commands = packCommands(scope.linked.registries.config.value);
  const packs = objectsAt(scope.linked.registries.config.value, 'command_packs').map(
    (entry) => textAt(entry, 'id') ?? '',
  );
  if (!packs.includes(pack)) {
    report.add(
      { artifact, pointer: '/implementation/pack' },
      {
        code: 'skill.unknown-command',
        message: `no command pack is called \`${pack}\``,
        help: didYouMean(pack, packs) ?? 'declare it under `command_packs` in workspace.yaml',
      },
    );
    return;
  }
  const found = commands.find((entry) => entry.pack === pack && entry.id === command);
  if (found === undefined) {
    const known = commands.filter((entry) => entry.pack === pack).map((entry) => entry.id);
    report.add(
      { artifact, pointer: '/implementation/command' },
      {
        code: 'skill.unknown-command',
        message: `the pack \`${pack}\` has no command \`${command}\``,
        help: didYouMean(command, known),
      },
    );
    return;
  }
  checkCommandInputs(scope, placeholdersOf(found.command.argv));
}

/** A placeholder without an input would make every call fail; that is known now. */
function checkCommandInputs(scope: Scope, placeholders: readonly string[]): void {
  const properties = objectAt(objectAt(scope.artifact.value, 'inputs'), 'properties');
  if (properties === null) return;
  const missing = placeholders.filter((name) => properties[name] === undefined);
  if (missing.length === 0) return;
  scope.report.add(
    { artifact: scope.artifact, pointer: '/inputs' },
    {
      code: 'skill.missing-input',
      message: `the command needs ${missing.map((name) => `\`${name}\``).join(', ')}, which \`inputs\` does not declare`,
    },
  );
}

function checkAgentSkill(scope: Scope): void {
  const topology = textAt(scope.implementation, 'topology');
  if (topology === null || topologyOf(scope.linked, topology) !== null) return;
  const names = new Set([...scope.linked.topologies.values()].map((entry) => entry.name));
  scope.report.add(
    { artifact: scope.artifact, pointer: '/implementation/topology' },
    {
      code: 'skill.unknown-topology',
      message: `no topology is called \`${topology}\``,
      help: didYouMean(topology, names),
    },
  );
}

function checkSchemas(scope: Scope): void {
  for (const key of ['inputs', 'outputs']) {
    const schema = objectAt(scope.artifact.value, key);
    const problem = schema === null ? null : scope.linked.tools.schemaProblem(schema);
    if (problem === null) continue;
    scope.report.add(
      { artifact: scope.artifact, pointer: `/${key}${problem.pointer}` },
      {
        code: 'skill.bad-schema',
        message: `\`${key}\` is not valid JSON Schema: ${problem.message}`,
        help: 'schemas follow JSON Schema draft 2020-12',
      },
    );
  }
  const inputs = objectAt(scope.artifact.value, 'inputs');
  const combiner = ['anyOf', 'oneOf', 'allOf'].find((key) => inputs?.[key] !== undefined);
  if (combiner === undefined) return;
  scope.report.add(
    { artifact: scope.artifact, pointer: `/inputs/${combiner}` },
    {
      code: 'skill.flat-inputs',
      severity: 'warning',
      message: `\`${combiner}\` at the top of \`inputs\` is supported by few model providers: the others get one object with the properties of all parts`,
      help: 'write one object with optional properties, or a skill for each alternative; every call is still checked against the schema as it is written',
    },
  );
}

function checkRuntime(scope: Scope): void {
  const floor = textAt(objectAt(scope.artifact.value, 'provenance'), 'requires_runtime');
  if (floor === null) return;
  const version = /^>=(\d+\.\d+\.\d+)$/.exec(floor)?.[1];
  const place = { artifact: scope.artifact, pointer: '/provenance/requires_runtime' };
  if (version === undefined) {
    scope.report.add(place, {
      code: 'skill.bad-runtime-floor',
      message: `\`${floor}\` is not a lowest version`,
      help: 'write `>=MAJOR.MINOR.PATCH`',
    });
  } else if (compareVersions(version, INTERFACE_LEVEL) > 0) {
    scope.report.add(place, {
      code: 'skill.runtime-too-old',
      message: `the skill \`${scope.id}\` needs runtime ${version}, this kit implements ${INTERFACE_LEVEL}`,
      help: 'upgrade kit, or use an older version of the skill',
    });
  }
}

function checkImplementation(scope: Scope): void {
  switch (textAt(scope.implementation, 'type')) {
    case 'composed':
      checkComposed(scope);
      return;
    case 'mcp_tool':
      checkTool(scope);
      return;
    case 'command':
      checkCommand(scope);
      return;
    case 'agent':
      checkAgentSkill(scope);
      return;
    default:
      return;
  }
}

function checkComposedCycles(linked: Linked, report: Report): void {
  const { skills } = linked.registries;
  const members = (id: string): readonly string[] => {
    const implementation = objectAt(skills.get(id)?.value ?? null, 'implementation');
    return textAt(implementation, 'type') === 'composed' ? textsAt(implementation, 'composes') : [];
  };
  for (const cycle of findCycles(skills.keys(), members)) {
    const artifact = skills.get(cycle[0] ?? '');
    if (artifact === undefined) continue;
    report.add(
      { artifact, pointer: '/implementation/composes' },
      {
        code: 'skill.composed-cycle',
        message: `skills compose each other: ${[...cycle, cycle[0]].join(' -> ')}`,
      },
    );
  }
}

/** Rules on skills. */
export function checkSkills(linked: Linked, report: Report): void {
  for (const [id, artifact] of linked.registries.skills) {
    const scope: Scope = {
      linked,
      id,
      artifact,
      implementation: objectAt(artifact.value, 'implementation') ?? {},
      report,
    };
    checkImplementation(scope);
    checkSchemas(scope);
    checkRuntime(scope);
  }
  checkComposedCycles(linked, report);
}
