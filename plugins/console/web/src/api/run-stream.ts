import { createParser } from 'eventsource-parser';
import type { Client } from './client.js';
import { onNetwork, paused } from './paused.js';

/** One frame of `GET /jobs/{id}/stream?format=json`. */
export interface LogLine {
  readonly seq: number;
  readonly timestamp: string;
  readonly type: string;
  readonly agent_id: string | null;
  readonly text: string;
}

const PAUSE_MS = 1_000;

/**
 * Follows a run to its end. A stream that breaks is taken up after the last frame: nothing is
 * missing, and nothing comes twice.
 */
export async function followRun(
  client: Client,
  id: string,
  signal: AbortSignal,
  onLine: (line: LogLine) => void,
): Promise<void> {
  let seq = 0;
  let isOver = false;
  while (!signal.aborted && !isOver) {
    const asking = onNetwork({ signal, network: globalThis });
    try {
      const answer = await client.open(`/jobs/${encodeURIComponent(id)}/stream?format=json`, {
        signal: asking.signal,
        headers: { accept: 'text/event-stream', 'last-event-id': String(seq) },
      });
      const parser = createParser({
        onEvent: ({ data }) => {
          if (data.startsWith('[done]')) {
            isOver = true;
            return;
          }
          const line = JSON.parse(data) as LogLine;
          if (line.seq <= seq) return;
          seq = line.seq;
          onLine(line);
        },
      });
      const text = answer.body?.pipeThrough(new TextDecoderStream());
      if (text === undefined) return;
      for (const reader = text.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parser.feed(value);
      }
    } catch {
      if (signal.aborted) return;
    } finally {
      asking.end();
    }
    if (!isOver) await paused(PAUSE_MS, { signal, network: globalThis });
  }
}
