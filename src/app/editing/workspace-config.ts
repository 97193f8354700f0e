import { WORKSPACE_FILES } from '../../compile/discover/layout.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { objectAt, objectsAt, textAt } from '../../compile/read.js';
import { KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isDeeper, MAX_DEPTH } from '../../lib/is-deeper.js';
import { mapTexts } from '../../lib/map-texts.js';
import { openWorkspaceFiles, type WorkspaceFiles } from '../workspace-files.js';
import { candidateText, readCandidate } from './candidate.js';
import { assertUnused, type CommitDeps, commitText, type Target } from './commit.js';
import { readCurrent } from './current-file.js';
import { editPlace } from './edit-place.js';
import type { ConfigReport, CredentialRow, Edited, EditingApp } from './editing-app.js';
import { holdsMask, maskLiterals } from './mask-literals.js';
import { assertPreconditions, etagOf } from './preconditions.js';
import { invalidEdit, refusedEdit, unknownArtifact } from './refusals.js';

/** What showing the settings needs beside the files. */
export interface ConfigDeps {
  /** Whether a credential yields a value right now. Never throws. */
  readonly resolves: (workspace: string, refs: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;
  /** Takes known secrets out of a text. */
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
}

/** Keys that are shown as they are; every other key may hold a secret. */
const SAFE_KEYS = ['env', 'var', 'path', 'provider', 'owner', 'vault_path', 'secret_id', 'key', 'endpoint'];

const SECTIONS = ['credentials', 'mcp_servers'] as const;
export type Section = (typeof SECTIONS)[number];
const ENTRY_ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

export interface OpenedConfig {
  readonly workspace: WorkspaceFiles;
  readonly target: Target;
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * The workspace file as it was written. Throws KIT_WORKSPACE_NOT_FOUND, KIT_EDIT_INVALID for one
 * that is not a mapping.
 */
export async function openConfig(directory: string, deps: Pick<CommitDeps, 'compile'>): Promise<OpenedConfig> {
  const workspace = await openWorkspaceFiles(directory, deps.compile.files);
  for (const path of WORKSPACE_FILES) {
    const place = await editPlace(workspace, '', path);
    const before = await readCurrent(workspace.files, place.asked);
    if (before === null) continue;
    const { parsed } = parseSource({ path, text: before.text });
    if (parsed === null) throw invalidEdit(readCandidate(path, before.text).errors);
    return { workspace, target: { workspace, place, before }, text: before.text, value: parsed.value };
  }
  throw new KitError('KIT_WORKSPACE_NOT_FOUND', 'the directory holds no workspace.yaml');
}

function shownConfig(config: JsonObject | null): JsonObject {
  const safe = Object.entries(config ?? {}).filter(([key]) => SAFE_KEYS.includes(key));
  // A secret's own name (`key: db-password`) is not a secret; what stands in a URL may be.
  return Object.fromEntries(safe.map(([key, value]) => [key, key === 'endpoint' ? maskLiterals(value) : value]));
}

export async function readConfig(
  { workspace: directory }: { readonly workspace: string },
  deps: Pick<CommitDeps, 'compile'> & ConfigDeps,
): Promise<ConfigReport> {
  const { target, value } = await openConfig(directory, deps);
  const entries = Object.entries(objectAt(value, 'credentials') ?? {}).map(([id]) => ({
    id,
    entry: objectAt(objectAt(value, 'credentials'), id),
  }));
  const [resolved, mask] = await Promise.all([
    deps.resolves(
      directory,
      entries.map(({ id }) => id),
    ),
    deps.maskOf(directory),
  ]);
  const credentials = entries.map(({ id, entry }): CredentialRow => {
    const config = objectAt(entry, 'config');
    return {
      id,
      source: textAt(entry, 'source') ?? '',
      config: shownConfig(config),
      identity: textAt(config, 'owner'),
      resolves: resolved.get(id) ?? false,
    };
  });
  const shown = (section: string): readonly JsonObject[] =>
    // an object stays one
    objectsAt(value, section).map((entry) => maskLiterals(entry) as JsonObject);
  return {
    ...mapTexts({ credentials, mcpServers: shown('mcp_servers'), events: shown('events') }, mask),
    etag: target.before?.etag ?? '',
  };
}

function sectionOf(section: string): Section {
  const found = SECTIONS.find((name) => name === section);
  if (found !== undefined) return found;
  throw new KitError('KIT_REQUEST_MALFORMED', `the section \`${section.slice(0, 80)}\` is not edited here`, {
    hint: `${SECTIONS.join(' and ')} are; edit the others in workspace.yaml and POST /reload.`,
  });
}

const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));

/** The content with one entry set, or gone (null). An empty section goes with its last entry. */
export function withEntry(value: JsonObject, section: Section, id: string, entry: JsonObject | null): JsonObject {
  const next =
    section === 'credentials'
      ? credentialsWith(objectAt(value, section) ?? {}, id, entry)
      : serversWith(objectsAt(value, section), id, entry);
  return Object.keys(next).length === 0 ? without(value, section) : { ...value, [section]: next };
}

const credentialsWith = (all: JsonObject, id: string, entry: JsonObject | null): JsonObject =>
  entry === null ? without(all, id) : Object.fromEntries([...Object.entries(all), [id, entry]]);

function serversWith(all: readonly JsonObject[], id: string, entry: JsonObject | null): readonly Json[] {
  const at = all.findIndex((server) => server.id === id);
  if (entry === null) return all.filter((server) => server.id !== id);
  return at < 0 ? [...all, entry] : all.map((server, index) => (index === at ? entry : server));
}

/** An entry as it is written; null = there is none. */
export const entryOf = (value: JsonObject, section: Section, id: string): JsonObject | null =>
  section === 'credentials'
    ? objectAt(objectAt(value, section), id)
    : (objectsAt(value, section).find((server) => textAt(server, 'id') === id) ?? null);

const entryIds = (value: JsonObject, section: Section): readonly string[] =>
  section === 'credentials'
    ? Object.keys(objectAt(value, section) ?? {})
    : objectsAt(value, section).flatMap((server) => textAt(server, 'id') ?? []);

function checkedEntry(section: Section, id: string, value: JsonObject, path: string): JsonObject {
  const refuse = (code: string, message: string): KitError =>
    refusedEdit({ code, message, path, pointer: `/${section}`, line: null });
  if (!ENTRY_ID.test(id)) throw refuse('edit.bad-id', `\`${id.slice(0, 80)}\` is not an id of an entry`);
  if (isDeeper(value)) throw refuse('edit.too-deep', `the entry is nested deeper than ${MAX_DEPTH} levels`);
  if (holdsMask(value))
    throw refuse(
      'edit.masked',
      'the entry holds a mask instead of what it hides; name a variable or a credential instead',
    );
  if (section === 'credentials') return value;
  if (value.id !== undefined && value.id !== id)
    throw refuse(
      'edit.id-mismatch',
      `the path says \`${id}\`, the entry calls itself \`${String(value.id).slice(0, 80)}\``,
    );
  return { id, ...value };
}

export async function changeEntry(ask: Parameters<EditingApp['changeEntry']>[0], deps: CommitDeps): Promise<Edited> {
  const section = sectionOf(ask.section);
  const { target, value } = await openConfig(ask.workspace, deps);
  const entry = checkedEntry(section, ask.entry, ask.value, target.place.path);
  assertPreconditions(ask, target.before?.etag ?? null, target.place.path);
  const content = withEntry(value, section, ask.entry, entry);
  const text = candidateText({ kind: 'content', content }, target.place.path, target.before);
  return { id: `${section}/${ask.entry}`, ...(await commitText(target, { text, dryRun: false }, deps)) };
}

export async function removeEntry(
  ask: Parameters<EditingApp['removeEntry']>[0],
  deps: CommitDeps,
): Promise<{ readonly id: string; readonly etag: string; readonly reloaded: boolean }> {
  const section = sectionOf(ask.section);
  const { target, value } = await openConfig(ask.workspace, deps);
  const id = `${section}/${ask.entry}`;
  if (!entryIds(value, section).includes(ask.entry)) {
    throw unknownArtifact(`entry \`${id.slice(0, 120)}\``, ask.entry, entryIds(value, section));
  }
  assertPreconditions(ask, target.before?.etag ?? null, target.place.path);
  const content = withEntry(value, section, ask.entry, null);
  const text = candidateText({ kind: 'content', content }, target.place.path, target.before);
  await assertUnused(`entry \`${id}\``, target, text, deps);
  const { report } = await commitText(target, { text, dryRun: false }, deps);
  return { id, etag: etagOf(text), reloaded: report.valid && report.reloaded };
}
