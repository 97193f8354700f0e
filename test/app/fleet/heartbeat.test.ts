import { describe, expect, it } from 'vitest';
import { BEAT_MS, createHeartbeat, FORGET_MS } from '../../../src/app/fleet/heartbeat.js';
import type { FleetMember } from '../../../src/domain/ports/fleet.js';
import { FakeClock } from '../../support/fake-clock.js';
import { memberOf } from '../../support/fleet-samples.js';

const ID = 'host-1:42:0a0b0c0d';

/**
 * A heartbeat over a store that writes down what reaches it, and lets a test decide what becomes of
 * a beat.
 */
function open(become: () => Promise<void> = async () => undefined) {
  const clock = new FakeClock();
  const beats: FleetMember[] = [];
  const left: string[] = [];
  const lines: string[] = [];
  let active = 0;
  const { id: _id, ...described } = memberOf();
  const heartbeat = createHeartbeat(
    {
      clock,
      log: { debug: (message) => void lines.push(message) },
      fleet: {
        beat: async (member, forgetMs) => {
          expect(forgetMs).toBe(FORGET_MS);
          beats.push(member);
          await become();
        },
        leave: async (id) => void left.push(id),
      },
    },
    ID,
    async () => ({ ...described, active }),
  );
  return { clock, beats, left, lines, heartbeat, holds: (count: number) => (active = count) };
}

const turns = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve();
};

describe('the heartbeat of a process', () => {
  it('says nothing before it is started, then at once and every five seconds how the process is', async () => {
    const { clock, beats, heartbeat, holds } = open();
    await turns();
    expect(beats).toEqual([]);

    heartbeat.start();
    await turns();
    holds(2);
    await clock.advance(BEAT_MS - 1);
    expect(beats).toHaveLength(1);
    await clock.advance(1);
    await turns();

    expect(beats).toMatchObject([
      { id: ID, active: 0 },
      { id: ID, active: 2 },
    ]);
    await heartbeat.stop();
  });

  it('tells at once what has changed when it is asked to', async () => {
    const { beats, heartbeat, holds } = open();
    heartbeat.start();
    await turns();
    holds(1);

    heartbeat.now();
    await turns();

    expect(beats).toMatchObject([{ active: 0 }, { active: 1 }]);
    await heartbeat.stop();
  });

  it('loses a beat as a line of the debug log, and beats again', async () => {
    const { clock, beats, lines, heartbeat } = open(() => Promise.reject(new Error('no database')));
    heartbeat.start();
    await turns();

    await clock.advance(BEAT_MS);
    await turns();

    expect(beats).toHaveLength(2);
    expect(lines).toEqual(['a heartbeat was lost', 'a heartbeat was lost']);
    await heartbeat.stop();
  });

  it('leaves when it is stopped, and beats no more', async () => {
    const { clock, beats, left, heartbeat } = open();
    heartbeat.start();
    await turns();

    await heartbeat.stop();
    await clock.advance(3 * BEAT_MS);

    expect([beats.length, left]).toEqual([1, [ID]]);
    expect(clock.sleeping).toBe(0);
  });

  it('does not hold up the end of its process where the store answers nothing', async () => {
    const { clock, left, heartbeat } = open(() => new Promise(() => undefined));
    heartbeat.start();
    await turns();

    const stopped = heartbeat.stop();
    await turns();
    await clock.advance(BEAT_MS);
    await stopped;

    expect(left).toEqual([]);
  });

  it('is stopped before it was started as well', async () => {
    const { beats, left, heartbeat } = open();

    await heartbeat.stop();

    expect([beats, left]).toEqual([[], [ID]]);
  });
});
