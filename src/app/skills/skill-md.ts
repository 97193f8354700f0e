import { newDocument } from '../../compile/edit/edit-document.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { objectAt, textAt } from '../../compile/read.js';
import type { JsonObject } from '../../domain/json.js';
import { SKILL_ID } from './catalogue/bundle.js';

/** A SKILL.md (Agent Skills) as an artifact of kit, or why it is none. */
export type Converted =
  | {
      readonly ok: true;
      readonly id: string;
      readonly path: string;
      readonly text: string;
      /** What of the front matter means nothing to kit, a sentence each. */
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly code: ImportProblem; readonly message: string };

export type ImportProblem =
  | 'import.no-front-matter'
  | 'import.bad-yaml'
  | 'import.no-name'
  | 'import.no-description'
  | 'import.empty-body'
  | 'import.bad-id';

const fail = (code: ImportProblem, message: string): Converted => ({ ok: false, code, message });

interface Parts {
  readonly front: string;
  readonly body: string;
}

/** Front matter between two lines of three dashes, at the very beginning. */
function partsOf(text: string): Parts | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return null;
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  return end < 0 ? null : { front: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** `PDF Processing` -> `pdf-processing`. */
const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/** A version of three numbers; `1.2` is `1.2.0`. Null = none that kit knows. */
function versionOf(metadata: JsonObject | null): string | null {
  const written = metadata?.version;
  const [major, minor, patch = '0', ...rest] = String(written ?? '').split('.');
  const isOne = [major, minor, patch].every((part) => /^\d{1,9}$/.test(part ?? '')) && rest.length === 0;
  return isOne ? `${major}.${minor}.${patch}` : null;
}

/** Keys of the format, and what kit makes of each that it does not take over. */
const DROPPED: Readonly<Record<string, string>> = {
  'allowed-tools': 'allowed-tools: a skill of kit grants nothing; what an agent may call is what it holds',
  license: 'license: keep the file that it names beside the workspace',
  compatibility: 'compatibility: nothing checks it',
};

/** The text of a file may name anything, `constructor` too. */
const droppedText = (key: string): string =>
  (Object.hasOwn(DROPPED, key) ? DROPPED[key] : undefined) ?? `${key.slice(0, 80)}: kit knows no such key`;

/** Keys that are listed one by one. */
const MAX_LISTED = 20;

function leftOutOf(front: JsonObject, isVersioned: boolean): readonly string[] {
  const keys = Object.keys(front).filter((key) => !['name', 'description', 'metadata'].includes(key));
  const other = Object.keys(objectAt(front, 'metadata') ?? {}).filter((key) => key !== 'version' || !isVersioned);
  return [
    ...keys.slice(0, MAX_LISTED).map((key) => droppedText(key)),
    ...(keys.length > MAX_LISTED ? [`${keys.length - MAX_LISTED} more keys that kit does not know`] : []),
    ...(other.length === 0 ? [] : [`metadata: ${other.join(', ').slice(0, 200)}`]),
  ];
}

/**
 * Turns a SKILL.md into a skill that asks a model, its body being the prompt word for word. Pure.
 * `origin`: where it comes from, written into its provenance.
 */
export function convertSkillMd(text: string, origin: string): Converted {
  const parts = partsOf(text);
  if (parts === null)
    return fail('import.no-front-matter', 'it begins with no front matter: two lines of three dashes around YAML');
  const { parsed, diagnostics } = parseSource({ path: 'SKILL.yaml', text: parts.front });
  if (parsed === null)
    return fail('import.bad-yaml', `its front matter is not a YAML mapping: ${diagnostics[0]?.message ?? ''}`);
  const front = parsed.value;
  const name = textAt(front, 'name')?.trim() ?? '';
  if (name === '') return fail('import.no-name', 'its front matter has no `name`');
  const description = textAt(front, 'description')?.trim() ?? '';
  if (description === '')
    return fail('import.no-description', 'its front matter has no `description`, by which agents choose it');
  if (parts.body.trim() === '') return fail('import.empty-body', 'nothing stands below its front matter');
  const id = idOf(name);
  if (!SKILL_ID.test(id)) return fail('import.bad-id', `no id can be made of the name \`${name.slice(0, 80)}\``);
  const version = versionOf(objectAt(front, 'metadata'));
  const path = `skills/${id}.yaml`;
  const content = {
    apiVersion: 'kit/v1',
    kind: 'Skill',
    metadata: { id, name, description },
    category: 'capability',
    implementation: { type: 'llm_prompt', prompt: parts.body.replace(/^\n+/, '') },
    provenance: {
      authored_by: 'imported_from_registry',
      version: version ?? '1.0.0',
      ...(origin === '' ? {} : { registry: origin }),
    },
  };
  return { ok: true, id, path, text: newDocument(path, content), leftOut: leftOutOf(front, version !== null) };
}
