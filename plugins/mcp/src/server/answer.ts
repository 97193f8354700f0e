import { bytesLeftOut, isReportedUsd, type Json, type ToolAnswer, type ToolPart } from '@kit-run/kit/plugin';
import type { CallToolResult, ContentBlock } from '../sdk/parts.js';

function partOf(block: ContentBlock): ToolPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return isPicture(block.mimeType, block.data)
        ? { type: 'image', mediaType: block.mimeType, data: block.data }
        : { type: 'other', kind: 'image', uri: null, text: leftOut('image', block.mimeType, block.data) };
    case 'audio':
      return { type: 'other', kind: 'audio', uri: null, text: leftOut('audio', block.mimeType, block.data) };
    case 'resource_link':
      return {
        type: 'other',
        kind: 'resource_link',
        uri: block.uri,
        text: block.description ?? block.title ?? block.name,
      };
    case 'resource':
      return resourceOf(block.resource);
  }
}

/** A picture that comes as a resource is a picture, and a PDF is a document. */
function resourceOf(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): ToolPart {
  const { uri, mimeType = 'application/octet-stream' } = resource;
  if ('text' in resource) return { type: 'other', kind: 'resource', uri, text: resource.text };
  if (isPicture(mimeType, resource.blob)) return { type: 'image', mediaType: mimeType, data: resource.blob };
  if (mimeType === PDF && resource.blob.startsWith(PDF_BEGINNING))
    return { type: 'document', mediaType: PDF, name: nameOf(uri), data: resource.blob };
  return { type: 'other', kind: 'resource', uri, text: leftOut(`resource ${uri}`, mimeType, resource.blob) };
}

/**
 * How the base64 of each kind of picture begins that models are shown. One request with another
 * kind, or with none, would be refused as a whole.
 */
const BEGINNINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'iVBORw'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lG'],
  ['image/webp', 'UklG'],
]);

function isPicture(mimeType: string, base64: string): boolean {
  const beginning = BEGINNINGS.get(mimeType);
  return beginning !== undefined && base64.startsWith(beginning);
}

const PDF = 'application/pdf';
/** `%PDF-` in base64. */
const PDF_BEGINNING = 'JVBERi0';
const MAX_NAME_CHARS = 80;

/** The last part of the path of a URI, in characters that every service takes in a name. */
function nameOf(uri: string): string {
  const last =
    uri
      .replace(/[?#].*$/s, '')
      .slice(-MAX_NAME_CHARS)
      .split('/')
      .at(-1) ?? '';
  const name = last.replace(/[^\w .-]+/g, '-').trim();
  return name === '' || name === '-' ? 'document.pdf' : name;
}

/** Stands in place of bytes that no conversation holds, so that the model knows of them. */
const leftOut = (what: string, mimeType: string, base64: string): string =>
  bytesLeftOut(what, mimeType, Buffer.byteLength(base64, 'base64'));

/** Where a server may say what a call cost, in USD: MCP has no field of its own for it. */
const COST_META_KEY = 'kit/cost_usd';

export const answerOf = ({ content, structuredContent, isError, _meta: meta }: CallToolResult): ToolAnswer => ({
  parts: content.map(partOf),
  structured: structuredContent === undefined ? null : (structuredContent as Json), // parsed JSON
  isError: isError === true,
  ...(meta?.[COST_META_KEY] === undefined ? {} : { costUsd: costOf(meta[COST_META_KEY]) }),
});

/** What is not an amount is an unknown cost, which a limit never takes for a small one. */
const costOf = (value: unknown): number | null => (isReportedUsd(value) ? value : null);

const partBytes = (part: ToolPart): number => {
  switch (part.type) {
    case 'text':
      return Buffer.byteLength(part.text);
    case 'image':
    case 'document':
      return part.data.length;
    case 'other':
      return Buffer.byteLength(part.text ?? '') + Buffer.byteLength(part.uri ?? '');
  }
};

/** Bytes of what an answer holds, its structured form as JSON. */
export const bytesOf = ({ parts, structured }: ToolAnswer): number =>
  parts.reduce(
    (sum, part) => sum + partBytes(part),
    structured === null ? 0 : Buffer.byteLength(JSON.stringify(structured)),
  );
