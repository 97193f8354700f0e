import type { CommandImplementation } from '../../domain/generated/artifacts.js';
import { INTERFACE_LEVEL } from '../../domain/interface-level.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { packCommands, placeholdersOf } from '../link/command-packs.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import { compareVersions, topologyOf } from '../link/topology-of.js';
import { agentsOf } from '../link/walk-agents.js';
import { objectAt } from '../read.js';
import { didYouMean, orMake, type Report } from '../report.js';
import { findCycles } from './cycles.js';

interface Scope {
  readonly linked: Linked;
  readonly id: string;
  readonly artifact: Checked<'Skill'>;
  readonly report: Report;
}

function checkComposed({ artifact, report, linked }: Scope, composes: readonly string[]): void {
  composes.forEach((member, index) => {
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

function checkTool(scope: Scope, server: string): void {
  const servers = (scope.linked.registries.config.value.mcp_servers ?? []).map(({ id }) => id);
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

function checkCommand(scope: Scope, { pack, command }: CommandImplementation): void {
  const { artifact, report } = scope;
  const commands = packCommands(scope.linked.registries.config.value);
  const packs = (scope.linked.registries.config.value.command_packs ?? []).map(({ id }) => id);
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
  const properties = objectAt(scope.artifact.value.inputs ?? null, 'properties');
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

function checkAgentSkill(scope: Scope, topology: string | undefined): void {
  if (topology === undefined || topologyOf(scope.linked, topology) !== null) return;
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
  for (const key of ['inputs', 'outputs'] as const) {
    const schema = scope.artifact.value[key];
    const problem = schema === undefined ? null : scope.linked.tools.schemaProblem(schema);
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
  const { inputs } = scope.artifact.value;
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
  const floor = scope.artifact.value.provenance.requires_runtime;
  if (floor === undefined) return;
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
  const { implementation } = scope.artifact.value;
  switch (implementation.type) {
    case 'composed':
      checkComposed(scope, implementation.composes);
      return;
    case 'mcp_tool':
      checkTool(scope, implementation.server);
      return;
    case 'command':
      checkCommand(scope, implementation);
      return;
    case 'agent':
      checkAgentSkill(scope, implementation.topology);
      return;
    case 'llm_prompt':
      return;
  }
}

function checkComposedCycles(linked: Linked, report: Report): void {
  const { skills } = linked.registries;
  const members = (id: string): readonly string[] => {
    const implementation = skills.get(id)?.value.implementation;
    return implementation?.type === 'composed' ? implementation.composes : [];
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
    const scope: Scope = { linked, id, artifact, report };
    checkImplementation(scope);
    checkSchemas(scope);
    checkRuntime(scope);
  }
  checkComposedCycles(linked, report);
}
