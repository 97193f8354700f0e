import { describe, expect, it } from 'vitest';
import { createTextFeed, type StreamedText } from '../../../src/app/runs/text-feed.js';

const piece = (text: string): StreamedText => ({ activation: 'root', text });

/** Reads so many pieces, then stops. */
async function take(texts: AsyncIterable<StreamedText>, count: number): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const { text } of texts) {
    taken.push(text);
    if (taken.length === count) break;
  }
  return taken;
}

describe('the feed of streamed text', () => {
  it('gives each follower of a run what comes after it began to follow, in order, and nothing of another run', async () => {
    const feed = createTextFeed();
    const stop = new AbortController();
    feed.publish('a', piece('before'));
    const first = feed.follow('a', stop.signal);
    const second = feed.follow('a', stop.signal);
    feed.publish('a', piece('one'));
    feed.publish('b', piece('other'));
    const taking = Promise.all([take(first, 2), take(second, 2)]);
    feed.publish('a', piece('two'));

    expect(await taking).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });

  it('ends when its signal aborts, also while it waits', async () => {
    const feed = createTextFeed();
    const stop = new AbortController();
    const taking = take(feed.follow('a', stop.signal), 10);
    feed.publish('a', piece('one'));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();

    expect(await taking).toEqual(['one']);
    expect(await take(feed.follow('a', stop.signal), 1)).toEqual([]);
  });

  it('lets a reader that is too slow lose the oldest pieces, and never waits for one', async () => {
    const feed = createTextFeed();
    const stop = new AbortController();
    const texts = feed.follow('a', stop.signal);
    for (let count = 1; count <= 1_500; count += 1) feed.publish('a', piece(String(count)));

    expect(await take(texts, 1)).toEqual(['501']);
  });
});
