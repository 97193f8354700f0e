import { artifactText } from '@kit-run/kit/command';
import { isKitError } from '@kit-run/kit/plugin';
import type { Door } from './door.js';
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, ResourceNotFoundError } from './sdk/parts.js';
import type { TopologyTool } from './tools/topology-tools.js';

const TOPOLOGY = 'topology://';
const ARTIFACT = 'artifact://';

/** Where a topology is read; with several workspaces its tool's name tells them apart. */
const uriOf = ({ definition }: TopologyTool): string => `${TOPOLOGY}${definition.name.replace(/^run_/, '')}`;

export const ARTIFACT_TEMPLATE = {
  uriTemplate: `${ARTIFACT}{+ref}`,
  name: 'artifact',
  description: 'What a run made, by its ref: <correlation>/<run>/<name>. Write # as %23.',
} as const;

/** Where an artifact is read. */
export const artifactUri = (ref: string): string => `${ARTIFACT}${ref.replaceAll('%', '%25').replaceAll('#', '%23')}`;

/** Topologies as resources. */
export const listTopologies = async (door: Door) =>
  (await door.tools()).map((tool) => ({
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

/** The ref of `artifact://<ref>`; null = it is none. */
function refOf(uri: string): string | null {
  try {
    return decodeURIComponent(uri.slice(ARTIFACT.length).replace(/^\/+/, ''));
  } catch {
    return null;
  }
}

async function readArtifact(door: Door, uri: string, ref: string): Promise<ReadResourceResult> {
  const { record, bytes } = await door.artifact(ref);
  const text = artifactText(bytes);
  const content = { uri, mimeType: record.mediaType };
  return {
    contents: [text === null ? { ...content, blob: Buffer.from(bytes).toString('base64') } : { ...content, text }],
  };
}

const UNKNOWN: ReadonlySet<string> = new Set(['KIT_ARTIFACT_UNKNOWN', 'KIT_ARTIFACT_AMBIGUOUS']);

/** Carries out `resources/read`. */
export async function readResource(door: Door, uri: string): Promise<ReadResourceResult> {
  if (uri.startsWith(TOPOLOGY)) {
    const tool = (await door.tools()).find((one) => uriOf(one) === uri);
    if (tool === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/plain', text: topologyText(tool) }] };
  }
  const ref = uri.startsWith(ARTIFACT) ? refOf(uri) : null;
  if (ref === null || ref === '') throw new ResourceNotFoundError(uri);
  try {
    return await readArtifact(door, uri, ref);
  } catch (error) {
    if (isKitError(error) && UNKNOWN.has(error.code)) throw new ResourceNotFoundError(uri, door.wordsOf(error));
    if (!isKitError(error)) door.onDefect(error);
    const words = isKitError(error) ? door.wordsOf(error) : 'the server failed to answer';
    throw new ProtocolError(ProtocolErrorCode.InternalError, words);
  }
}
