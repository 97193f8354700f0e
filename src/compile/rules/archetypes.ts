import type { Agent } from '../../domain/generated/artifacts.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { archetypeSkills } from '../link/agents.js';
import { checkExecutor } from '../link/executor.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art, Checked } from '../link/registries.js';
import { resolveEntry } from '../link/skill-entries.js';
import { objectAt } from '../read.js';
import { didYouMean, type Place, type Report } from '../report.js';

/** Keys of `executor.config` that say what a program may do without asking. */
const MODES = ['permission_mode', 'approval_mode', 'allowed_tools'] as const;

/**
 * Warns of an agent whose program would ask a person that is not there: its adapter has groups for
 * such keys, and the archetype sets none.
 */
function checkMode(linked: Linked, artifact: Checked<'Archetype'>, report: Report): void {
  const { ref = '', config = {} } = artifact.value.executor ?? {};
  const adapter = linked.registries.adapters.get(ref);
  if (adapter === undefined) return;
  const groups = adapter.value.spec.launch.optional_args ?? [];
  const offered = MODES.filter((mode) => groups.some(({ when }) => when === `config.${mode}`));
  if (offered.length === 0 || [...MODES, 'permissions'].some((key) => config[key] !== undefined)) return;
  report.add(
    { artifact, pointer: '/executor' },
    {
      code: 'archetype.no-permission-mode',
      severity: 'warning',
      message: `\`${ref}\` asks a person before each edit and command, and a run has nobody to ask`,
      help: `allow calls in \`executor.config\`: ${offered.map((mode) => `\`${mode}\``).join(' or ')}`,
    },
  );
}

/**
 * Keys of the open blocks that some code reads; any other is carried and does nothing, which its
 * author should know.
 */
const READ_KEYS: Readonly<Record<string, readonly string[]>> = {
  model: [
    'provider',
    'name',
    'temperature',
    'max_output_tokens',
    'max_tokens',
    'effort',
    'tool_choice',
    'strict',
    'fallback',
    'tool_provider',
    'tool_model',
    'options',
  ],
  prompt: ['system', 'persona'],
};

function checkOpenBlocks(artifact: Art, holder: JsonObject, pointer: string, report: Report): void {
  if (objectAt(holder, 'model')?.max_tokens !== undefined)
    report.add(
      { artifact, pointer: pointerTo(pointer, 'model', 'max_tokens'), onKey: true },
      {
        code: 'model.max-tokens',
        severity: 'warning',
        message: '`model.max_tokens` is called `max_output_tokens` now; it still counts where that is absent',
        help: 'write `max_output_tokens`',
      },
    );
  for (const [block, known] of Object.entries(READ_KEYS)) {
    for (const key of Object.keys(objectAt(holder, block) ?? {})) {
      if (known.includes(key)) continue;
      report.add(
        { artifact, pointer: pointerTo(pointer, block, key), onKey: true },
        {
          code: 'model.unread-key',
          severity: 'warning',
          message: `nothing reads \`${block}.${key}\``,
          help:
            block === 'model'
              ? (didYouMean(key, known) ?? 'provider-native settings go into `options`')
              : didYouMean(key, known),
        },
      );
    }
  }
}

function checkAgentBlocks(artifact: Art, agent: Agent, pointer: string, report: Report): void {
  checkOpenBlocks(artifact, agent, pointer, report);
  agent.children?.forEach((child, index) => {
    checkAgentBlocks(artifact, child, pointerTo(pointer, 'children', index), report);
  });
}

/** Many at once are those that only read (packs) or that a file names (servers): perhaps none. */
function emptyGrant(linked: Linked, place: Place, entry: Json, report: Report): void {
  const [what = '', id = ''] = typeof entry === 'string' ? entry.split(':') : [];
  if (what === 'pack' && id === 'workspace') return;
  const commands = [...linked.skills.values()].filter(
    ({ implementation }) => implementation.type === 'command' && implementation.pack === id,
  );
  report.add(place, {
    code: 'archetype.grants-nothing',
    severity: 'warning',
    message: `\`${what}:${id}\` grants nothing: ${what === 'pack' ? 'no command of the pack says `effects: read`' : 'no skill file names a tool of the server'}`,
    help:
      what === 'pack'
        ? `say \`effects: read\` on commands that change nothing, or grant one by its id: \`${commands[0]?.id ?? id}\``
        : `\`kit new skill NAME --server ${id} --tool TOOL\` makes one`,
  });
}

function checkEntries(linked: Linked, artifact: Checked<'Archetype'>, report: Report): void {
  const { entries, pointer } = archetypeSkills(artifact);
  entries.forEach((entry, index) => {
    const result = resolveEntry({ registries: linked.registries, skills: linked.skills, topology: null }, entry);
    if (result.ok && result.ids.length === 0)
      emptyGrant(linked, { artifact, pointer: pointerTo(pointer, index) }, entry, report);
    if (result.ok || result.why !== 'unknown') return;
    const what = /^(pack|server):/.exec(result.word)?.[1];
    const noun = what === 'pack' ? 'command pack' : what === 'server' ? 'MCP server' : 'skill';
    report.add(
      { artifact, pointer: pointerTo(pointer, index) },
      {
        code: 'archetype.unknown-skill',
        message: `no ${noun} is called \`${result.word.replace(/^\w+:/, '')}\``,
        help: what === undefined ? didYouMean(result.word, linked.skills.keys()) : undefined,
      },
    );
  });
}

/** An `llm_prompt` skill has a model block of its own. */
function checkSkillBlocks(linked: Linked, report: Report): void {
  for (const artifact of linked.registries.skills.values())
    checkOpenBlocks(artifact, artifact.value.implementation, '/implementation', report);
}

/** Rules on archetypes, and on the open blocks that archetypes and agents share. */
export function checkArchetypes(linked: Linked, report: Report): void {
  for (const artifact of linked.registries.archetypes.values()) {
    checkEntries(linked, artifact, report);
    checkExecutor(artifact, linked.catalogue, report);
    checkMode(linked, artifact, report);
    checkOpenBlocks(artifact, artifact.value.defaults, '/defaults', report);
  }
  checkSkillBlocks(linked, report);
  for (const artifact of linked.registries.topologies.values())
    checkAgentBlocks(artifact, artifact.value.agents.root, '/agents/root', report);
}
