import { type AgentEndpoint, type AgentTask, type AgentWorld, isObject, type JsonObject } from '@kit-run/kit/plugin';
import { createParser } from 'eventsource-parser';
import { invalid, openStream } from './ask.js';
import { stateOf } from './read-task.js';

/** Characters of one frame; a peer that sends more in one is not followed. */
const MAX_FRAME = 1024 * 1024;

/**
 * States that the frames of a subscription report, of either version. Nothing else of a frame is
 * read: it may be a lie, or old, and what there is is asked for.
 */
export async function* followTask(
  world: AgentWorld,
  of: { readonly to: AgentEndpoint; readonly method: string; readonly taskId: string },
): AsyncGenerator<AgentTask['state']> {
  const { to, method, taskId } = of;
  const { url, version } = to;
  const body = await openStream(world, { url, version, method, params: { id: taskId } });
  const frames: string[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_FRAME,
    onEvent: ({ data }) => frames.push(data),
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (isTooLarge) throw invalid(url, `sends a frame of more than ${MAX_FRAME} characters`);
    for (const frame of frames.splice(0)) {
      const state = stateIn(frame);
      if (state !== null) yield state;
    }
  }
}

/** The state that a frame reports; null: none that is known here. */
function stateIn(frame: string): AgentTask['state'] | null {
  const answer = objectIn(frame);
  const result = isObject(answer?.result) ? answer.result : {};
  const status = [result.task, result.statusUpdate, result].find((one) => isObject(one) && isObject(one.status));
  if (!isObject(status) || !isObject(status.status)) return null;
  return stateOf(status.status.state);
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // it tells nothing
  }
}
