import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/sinks/src/chat.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { LogEntry } from '../../../src/domain/log-entry.js';
import type { SinkLinks } from '../../../src/domain/ports/sinks.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { openReceiver, status } from '../../support/http/receiver.js';
import { runOf } from '../../support/sink-run.js';

const LINKS: SinkLinks = { run: 'https://kit.example/jobs/r-1', gate: 'https://kit.example/gates/r-1:writer' };
const GATE = { gate_id: 'r-1:writer', funnel_id: 'sign-off', round: 0, critique: null, expires_at: null };

const entryOf = (type: LogEntry['event_type'], payload: JsonObject): LogEntry => ({
  ...{ cursor: 'c-1', event_id: 'e-1', event_type: type, timestamp: '2026-01-02T03:04:05.000Z', run_id: 'r-1' },
  ...{ topology_id: 'release', agent_id: 'writer', skill_id: null, correlation_id: null, labels: {}, payload },
});

/** What the channel gets of an event. */
async function posted(entry: LogEntry, config: JsonObject = {}, links: SinkLinks | null = LINKS) {
  const { url, received } = await openReceiver();
  const context = createTestContext({ fetch: globalThis.fetch, credentials: { channel: url } });
  const sink = await contribution.create({ url_ref: 'channel', ...config }, context);
  const outcome = await sink.deliver(entry, new AbortController().signal, { ...runOf(), links });
  return { outcome, bodies: received.map(({ body }) => body) };
}

describe('the sink of a chat channel', () => {
  it('posts a gate with the address at which people decide, to the address that a credential holds', async () => {
    expect(await posted(entryOf('funnel.gate_opened', GATE))).toEqual({
      outcome: { kind: 'delivered' },
      bodies: [
        {
          text: 'release, run r-1 waits for people: gate sign-off of agent writer\n<https://kit.example/gates/r-1:writer|Look and decide>',
        },
      ],
    });
  });

  it('says in which command one looks where the server has no address for people', async () => {
    const { bodies } = await posted(
      entryOf('funnel.gate_opened', { ...GATE, round: 1, critique: 'too long' }),
      {},
      null,
    );
    expect(bodies).toEqual([
      {
        text: 'release, run r-1 waits for people: gate sign-off of agent writer, round 2\na check says: too long\nkit review gate r-1:writer',
      },
    ]);
  });

  it.each<readonly [LogEntry['event_type'], JsonObject, string]>([
    [
      'hitl.requested',
      { kind: 'permission', summary: 'may it run rm?', review_queue_id: 'i-1' },
      'asks people: may it',
    ],
    ['approval.reminder', { gate_id: 'r-1:writer', expires_at: '2026-01-02T05:00:00Z' }, 'expires at 2026-01-02T05'],
    ['approval.gate_resolved', { status: 'approved', by: 'olga', comment: 'fine' }, 'is approved by olga\nfine'],
    [
      'run.ended',
      { status: 'failed', reason: 'x', error: 'no such model' },
      'failed, no such model\n<https://kit.example/jobs/r-1|',
    ],
  ])('tells %s', async (type, payload, words) => {
    const { bodies } = await posted(entryOf(type, payload));
    expect(bodies).toMatchObject([{ text: expect.stringContaining(words) }]);
  });

  it('leaves out what a channel has no use for, and tasks of a gate that it has told', async () => {
    for (const entry of [entryOf('model.called', {}), entryOf('hitl.requested', { kind: 'role_task', summary: 'x' })])
      expect(await posted(entry)).toEqual({ outcome: { kind: 'delivered' }, bodies: [] });
  });

  it('lets no text of a model or a person call anybody, or lead anywhere', async () => {
    const hostile = {
      ...GATE,
      critique: `<!channel> <https://evil.example|here> @everyone [x](https://evil.example)\n${'y'.repeat(900)}`,
    };
    const [slack] = (await posted(entryOf('funnel.gate_opened', hostile))).bodies as { text: string }[];
    expect(slack?.text).toContain('&lt;!channel&gt; &lt;https://evil.example|here&gt;');
    expect(slack?.text.length).toBeLessThan(700);
    const [discord] = (await posted(entryOf('funnel.gate_opened', hostile), { format: 'discord' })).bodies;
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(JSON.stringify(discord)).not.toContain('[x](https');
    const [teams] = (await posted(entryOf('funnel.gate_opened', hostile), { format: 'teams' })).bodies;
    expect(teams).toMatchObject({
      attachments: [{ content: { actions: [{ type: 'Action.OpenUrl', url: LINKS.gate }] } }],
    });
    expect(JSON.stringify(teams)).not.toContain('[x](https');
  });

  it('says what the service answers, and nothing of its address', async () => {
    const { url } = await openReceiver(status(404));
    const context = createTestContext({ fetch: globalThis.fetch, credentials: { channel: 'no address' } });
    const tried = async (config: JsonObject) =>
      (await contribution.create(config, context)).deliver(
        entryOf('funnel.gate_opened', GATE),
        new AbortController().signal,
        runOf(),
      );
    expect(await tried({ url })).toEqual({ kind: 'rejected', detail: 'the receiver answered 404' });
    expect(await tried({ url_ref: 'channel' })).toEqual({
      kind: 'rejected',
      detail: 'the credential holds no http or https address',
    });
  });
});
