import { expect, it } from 'vitest';
import { pluginsSince } from '../../../src/app/runs/offers.js';

const now = { echo: '1.1.0', other: '2.0.0' };
const host = { usableNow: () => Promise.resolve(now) };
const unread = { usableNow: () => expect.fail('the files of the plugins were read') };

it('reads what was installed since the start only for a run that lacks a plugin', async () => {
  expect(await pluginsSince(unread, { echo: '1.0.0' }, [{ echo: '^1.0.0' }, {}])).toEqual({});
  expect(await pluginsSince({}, {}, [{ echo: '^1.0.0' }])).toEqual({});
  expect(await pluginsSince(host, {}, [{ echo: '^1.0.0' }])).toEqual({ pluginsSince: now });
  expect(await pluginsSince(host, { echo: '1.0.0', other: '2.0.0' }, [{ echo: '^1.1.0' }])).toEqual({
    pluginsSince: { echo: '1.1.0' },
  });
  expect(await pluginsSince(host, now, [{ gone: '^1.0.0' }])).toEqual({});
});
