import type { Known, PartFile, PartOf } from '../part-request.js';
import { BY_A_PERSON, list, scalar, titleOf } from './yaml-text.js';

/** The adapter that plays a script: how people try an agent before its program is installed. */
const REHEARSAL = 'rehearsal';

const SCRIPT = `    # No language model and no program: it plays these steps. Another ref, such as claude-code, needs none.
    script:
      - { edit: notes.md, content: "What changed.\\n" }
      - { run: git status --short }
      - { say: Wrote notes.md. }
`;

const PERMISSIONS = `    # Edits in its copy need no permission; each command is asked of a person.
    permissions:
      - { kind: edit, match: "**", then: allow }
      - { kind: execute, then: ask }
`;

const WITHOUT_GATE = `    # This program does not ask kit before a call: its own settings say what it may do (kit docs harnesses).
`;

/** Archetype of an agent whose work a coding harness does. */
export function harnessFile(
  request: PartOf<'agent'> & { readonly harness: string },
  { adapters }: Pick<Known, 'adapters'>,
): PartFile {
  const { id, role, skills, harness } = request;
  return {
    path: `archetypes/${id}.yaml`,
    text: `apiVersion: kit/v1
kind: Archetype
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
  # At least ten characters.
  description: Changes code in a copy of this repository.
role: ${role}
defaults: ${skills.length === 0 ? '{}' : `{ skills: ${list(skills)} }`}
executor:
  kind: harness
  # Without the program: rehearsal, which plays a script (kit docs mock).
  ref: ${scalar(harness)}
  config:
${harness === REHEARSAL ? SCRIPT : ''}${adapters.get(harness) === true ? PERMISSIONS : WITHOUT_GATE}    budget: { max_wall_clock_minutes: 30 }
${BY_A_PERSON}`,
  };
}
