import { describe, expect, it } from 'vitest';
import type { ExecutorEvent } from '../../src/domain/ports/executor.js';
import type { NewEvent } from '../../src/engine/new-event.js';
import { MAX_SESSION_MESSAGES, sessionLog } from '../../src/engine/session-log.js';
import type { StepContext } from '../../src/engine/step-types.js';

function kept() {
  const drafts: NewEvent[] = [];
  const context: StepContext = {
    ...{ key: 'root/d0/x', stepId: 's', attempt: 1, notes: {} },
    emit: async (draft) => void drafts.push(draft),
    note: async () => undefined,
  };
  return { drafts, context };
}

const said = (n: number): ExecutorEvent =>
  n % 2 === 0 ? { type: 'message', role: 'assistant', text: `${n}` } : { type: 'raw', line: `${n}` };
const call: ExecutorEvent = { type: 'tool_call', tool: 'Bash', summary: 'ls', status: 'ok' };

describe('the log of a session', () => {
  it('keeps every message of a session that says what sessions say', async () => {
    const { drafts, context } = kept();
    const keep = sessionLog(context, 'coder');

    for (let n = 0; n < MAX_SESSION_MESSAGES; n += 1) await keep(said(n));

    expect(drafts).toHaveLength(MAX_SESSION_MESSAGES);
    expect(drafts.at(-1)?.payload).toMatchObject({ text: `${MAX_SESSION_MESSAGES - 1}` });
  });

  it('keeps no further ones, says so once, and keeps every call', async () => {
    const { drafts, context } = kept();
    const keep = sessionLog(context, 'coder');
    for (let n = 0; n < MAX_SESSION_MESSAGES; n += 1) await keep(said(n));

    for (const event of [said(0), said(1), call, said(2), call]) await keep(event);

    const after = drafts.slice(MAX_SESSION_MESSAGES);
    expect(after.map(({ type }) => type)).toEqual(['executor.message', 'executor.tool_call', 'executor.tool_call']);
    const text = expect.stringContaining('is not kept, what it calls is');
    expect(after[0]?.payload).toEqual({ role: 'warning', text });
  });

  it('counts each session by itself', async () => {
    const { drafts, context } = kept();
    const first = sessionLog(context, 'coder');
    for (let n = 0; n <= MAX_SESSION_MESSAGES; n += 1) await first(said(n));

    await sessionLog(context, 'coder')(said(7));

    expect(drafts.at(-1)?.payload).toEqual({ role: 'raw', text: '7' });
  });
});
