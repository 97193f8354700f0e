import type { Json, ToolAnswer, ToolPart } from '@kit-run/kit/plugin';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';

function partOf(block: ContentBlock): ToolPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', mediaType: block.mimeType, data: block.data };
    case 'audio':
      return { type: 'other', kind: 'audio', uri: null, text: null };
    case 'resource_link':
      return { type: 'other', kind: 'resource_link', uri: block.uri, text: block.description ?? block.title ?? block.name };
    case 'resource':
      return { type: 'other', kind: 'resource', uri: block.resource.uri, text: 'text' in block.resource ? block.resource.text : null };
  }
}

/** Where a server may say what a call cost, in USD: MCP has no field of its own for it. */
const COST_META_KEY = 'kit/cost_usd';

export const answerOf = ({ content, structuredContent, isError, _meta: meta }: CallToolResult): ToolAnswer => ({
  parts: content.map(partOf),
  structured: structuredContent === undefined ? null : (structuredContent as Json), // parsed JSON
  isError: isError === true,
  ...(meta?.[COST_META_KEY] === undefined ? {} : { costUsd: costOf(meta[COST_META_KEY]) }),
});

/** What is no amount is an unknown cost, which a limit never takes for a small one. */
const costOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null);

const partBytes = (part: ToolPart): number => {
  switch (part.type) {
    case 'text':
      return Buffer.byteLength(part.text);
    case 'image':
      return part.data.length;
    case 'other':
      return Buffer.byteLength(part.text ?? '') + Buffer.byteLength(part.uri ?? '');
  }
};

/** Bytes of what an answer holds, its structured form as JSON. */
export const bytesOf = ({ parts, structured }: ToolAnswer): number =>
  parts.reduce((sum, part) => sum + partBytes(part), structured === null ? 0 : Buffer.byteLength(JSON.stringify(structured)));
