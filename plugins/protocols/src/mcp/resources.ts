import { artifactText, toWireJob } from '@kit-run/kit/command';
import { isKitError } from '@kit-run/kit/plugin';
import { itemText } from '@kit-run/kit/text/item-text';
import type { Backend } from './backend.js';
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, ResourceNotFoundError } from './sdk/parts.js';
import type { TopologyTool } from './tools/topology-tools.js';

const TOPOLOGY = 'topology://';
const ARTIFACT = 'artifact://';
export const RUN = 'run://';
const REVIEW = 'review://';

/** Where an item is read that waits for people; its id has characters that an address has not. */
export const reviewUri = (item: string): string => `${REVIEW}${encodeURIComponent(item)}`;

/** Where a topology is read; with several workspaces its tool's name tells them apart. */
const uriOf = ({ definition }: TopologyTool): string => `${TOPOLOGY}${definition.name.replace(/^run_/, '')}`;

export const ARTIFACT_TEMPLATE = {
  uriTemplate: `${ARTIFACT}{+ref}`,
  name: 'artifact',
  description: 'What a run made, by its ref: <correlation>/<run>/<name>. Write # as %23.',
} as const;

export const RUN_TEMPLATE = {
  uriTemplate: `${RUN}{run}`,
  name: 'run',
  description: 'How a run stands, by its whole id: status, whom it waits for, what it used, its output.',
} as const;

/** Where an artifact is read. */
export const artifactUri = (ref: string): string => `${ARTIFACT}${ref.replaceAll('%', '%25').replaceAll('#', '%23')}`;

/** Topologies as resources. */
export const listTopologies = async (backend: Backend) =>
  (await backend.tools()).map((tool) => ({
    uri: uriOf(tool),
    name: tool.topology,
    ...(tool.definition.description === undefined ? {} : { description: tool.definition.description }),
    mimeType: 'text/plain',
  }));

function topologyText({ topology, version, definition }: TopologyTool): string {
  return [
    `Topology ${topology}, version ${version}.`,
    definition.description ?? '',
    `The tool ${definition.name} runs it.`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The name behind a scheme; null = it is none. */
function nameIn(uri: string, scheme: string): string | null {
  try {
    return decodeURIComponent(uri.slice(scheme.length).replace(/^\/+/, ''));
  } catch {
    return null;
  }
}

async function readArtifact(backend: Backend, uri: string, ref: string): Promise<ReadResourceResult> {
  const { record, bytes } = await backend.artifact(ref);
  const text = artifactText(bytes);
  const content = { uri, mimeType: record.mediaType };
  return {
    contents: [text === null ? { ...content, blob: Buffer.from(bytes).toString('base64') } : { ...content, text }],
  };
}

/** How a run stands, as CLI and HTTP show it. */
async function readRun(backend: Backend, uri: string, run: string): Promise<ReadResourceResult> {
  const { job } = await backend.find(run);
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(toWireJob(job), null, 2) }] };
}

/** What is asked of whoever calls, and where they decide it: nobody decides over MCP. */
async function readItem(backend: Backend, uri: string, item: string): Promise<ReadResourceResult> {
  const { details, place } = await backend.item(item);
  const text = itemText(details, { color: false, width: null, workspaceArgument: place });
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}

const SCHEMES = [
  { scheme: ARTIFACT, read: readArtifact },
  { scheme: RUN, read: readRun },
  { scheme: REVIEW, read: readItem },
] as const;

const UNKNOWN: ReadonlySet<string> = new Set([
  'KIT_ARTIFACT_UNKNOWN',
  'KIT_ARTIFACT_AMBIGUOUS',
  'KIT_JOB_UNKNOWN',
  'KIT_ITEM_UNKNOWN',
  'KIT_ITEM_AMBIGUOUS',
]);

/** Carries out `resources/read`. */
export async function readResource(backend: Backend, uri: string): Promise<ReadResourceResult> {
  if (uri.startsWith(TOPOLOGY)) {
    const tool = (await backend.tools()).find((one) => uriOf(one) === uri);
    if (tool === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/plain', text: topologyText(tool) }] };
  }
  const found = SCHEMES.find(({ scheme }) => uri.startsWith(scheme));
  const name = found === undefined ? null : nameIn(uri, found.scheme);
  if (found === undefined || name === null || name === '') throw new ResourceNotFoundError(uri);
  try {
    return await found.read(backend, uri, name);
  } catch (error) {
    if (isKitError(error) && UNKNOWN.has(error.code)) throw new ResourceNotFoundError(uri, backend.wordsOf(error));
    if (!isKitError(error)) backend.onDefect(error);
    const words = isKitError(error) ? backend.wordsOf(error) : 'the server failed to answer';
    throw new ProtocolError(ProtocolErrorCode.InternalError, words);
  }
}
