import { type StreamItem, toWireEvent } from '@kit-run/kit/command';

/**
 * `text`: a line of plain text a frame. `json`: an object `{seq, timestamp, type, agent_id, text}`
 * a frame. `event`: the whole event a frame, as `GET /jobs/{id}/events` has it.
 */
export type FrameFormat = 'text' | 'json' | 'event';

/** A text of several lines becomes several `data:` lines of one frame. */
const dataLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('');

function textOf(item: StreamItem): string {
  if (item.kind === 'end') return `${dataLines(`[done] status=${item.status}`)}\n`;
  return `id: ${item.seq}\n${dataLines(item.text)}\n`;
}

function jsonOf(item: StreamItem): string {
  if (item.kind === 'end') return textOf(item);
  const { seq, timestamp, type, agentId, text } = item;
  return `id: ${seq}\ndata: ${JSON.stringify({ seq, timestamp, type, agent_id: agentId, text })}\n\n`;
}

const eventOf = (item: StreamItem): string =>
  item.kind === 'end' ? textOf(item) : `id: ${item.seq}\ndata: ${JSON.stringify(toWireEvent(item.event))}\n\n`;

const WRITERS = { text: textOf, json: jsonOf, event: eventOf } as const;

/** An item as bytes, made once for all readers of it. */
export function createFrames(format: FrameFormat): (item: StreamItem) => Buffer {
  const made = new WeakMap<StreamItem, Buffer>();
  const write = WRITERS[format];
  return (item) => {
    const frame = made.get(item) ?? Buffer.from(write(item));
    made.set(item, frame);
    return frame;
  };
}
