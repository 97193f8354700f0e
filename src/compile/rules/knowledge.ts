import type { KnowledgeBase } from '../../domain/knowledge.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { packCommands, syntheticSkillId } from '../link/command-packs.js';
import { isSameBase, knowledgeSkillId, linkKnowledgeBases } from '../link/knowledge.js';
import type { Linked } from '../link/link-workspace.js';
import type { Place, Report } from '../report.js';

interface Entry {
  readonly base: KnowledgeBase;
  readonly place: (...keys: (string | number)[]) => Place;
  /** `name@version` of the topology. */
  readonly topology: string;
}

const BASES = pointerTo('', 'artifacts', 'knowledge_bases');

/**
 * Rules on `artifacts.knowledge_bases`; whether the documents can be read is for `kit validate` and
 * each submit to say.
 */
export function checkKnowledge(linked: Linked, report: Report): void {
  const first = new Map<string, Entry>();
  const others = takenIds(linked);
  for (const [topology, artifact] of linked.registries.topologies) {
    linkKnowledgeBases(artifact.value).forEach((base, index) => {
      const pointer = pointerTo(BASES, index);
      const entry: Entry = { base, topology, place: (...keys) => ({ artifact, pointer: pointerTo(pointer, ...keys) }) };
      checkPath(entry, { artifact, pointer }, report);
      const known = first.get(base.id);
      if (known === undefined) checkSkillId(entry, others, report);
      else checkAgain(entry, known, report);
      first.set(base.id, known ?? entry);
    });
  }
}

/**
 * A second entry with an id is the same base, said by another topology; anything else would leave
 * one of the two without its documents.
 */
function checkAgain(entry: Entry, known: Entry, report: Report): void {
  if (known.topology !== entry.topology && isSameBase(known.base, entry.base)) return;
  report.add(entry.place('id'), {
    code: 'knowledge.duplicate-id',
    message: `two knowledge bases are called \`${entry.base.id}\``,
    help:
      known.topology === entry.topology
        ? 'rename one of them'
        : 'a base is one for the whole workspace: write both alike, or rename one of them',
    related: [{ ...known.place('id'), message: 'first defined here' }],
  });
}

function checkSkillId({ base, place }: Entry, others: ReadonlyMap<string, Place>, report: Report): void {
  const id = knowledgeSkillId(base.id);
  const taken = others.get(id);
  if (taken === undefined) return;
  report.add(place('id'), {
    code: 'knowledge.id-collision',
    message: `the knowledge base has the id of the skill \`${id}\`, which exists already`,
    help: 'rename the knowledge base or the skill',
    related: [{ ...taken, message: 'defined here' }],
  });
}

/** Skills of files, and those that commands stand for. */
function takenIds({ registries }: Linked): ReadonlyMap<string, Place> {
  const commands = packCommands(registries.config.value).map(
    (command) =>
      [syntheticSkillId(command), { artifact: registries.config, pointer: pointerTo(command.pointer, 'id') }] as const,
  );
  const files = [...registries.skills].map(([id, artifact]) => [id, { artifact, pointer: '/metadata/id' }] as const);
  return new Map<string, Place>([...commands, ...files]);
}

function checkPath({ base, place }: Entry, self: Place, report: Report): void {
  if (base.path === '') {
    report.add(self, {
      code: 'knowledge.no-path',
      severity: 'warning',
      message: `the knowledge base \`${base.id}\` names no \`path\`, so there is nothing to search`,
      help: `add \`path\`; without it there is no skill \`${knowledgeSkillId(base.id)}\``,
    });
    return;
  }
  const problem = pathProblem(base.path);
  if (problem !== null)
    report.add(place('path'), { code: 'knowledge.bad-path', message: `\`${base.path}\` ${problem}`, help: INSIDE });
  base.include.forEach((glob, index) => {
    const bad = pathProblem(glob);
    if (bad !== null)
      report.add(place('include', index), { code: 'knowledge.bad-path', message: `\`${glob}\` ${bad}`, help: INSIDE });
  });
}

const INSIDE = 'name a folder or a file inside the workspace, relative to it, with `/`';

/** What makes a path none of a document; hidden files hold keys and state, never documents. */
function pathProblem(path: string): string | null {
  if (path.startsWith('/') || path.includes('\\') || /^[a-zA-Z]:/.test(path))
    return 'is not a path relative to the workspace';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leads out of the workspace';
  return parts.some((part) => part.startsWith('.') && part !== '.') ? 'names a hidden file or folder' : null;
}
