import { expect, it } from 'vitest';
import { createLog, type LogLevel } from '../../src/system/log.js';

function record(level?: LogLevel): { readonly log: ReturnType<typeof createLog>; readonly lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    clock: { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) },
    write: (line) => void lines.push(line),
    ...(level === undefined ? {} : { level }),
  });
  return { log, lines };
}

it('says nothing below warn unless asked', () => {
  const { log, lines } = record();

  log.debug('a');
  log.info('b');
  log.warn('c', { jobId: 'x', error: new Error('why') });
  log.error('d');

  expect(lines).toEqual([
    '2026-01-02T03:04:05.678Z warn c {"jobId":"x","error":"why"}\n',
    '2026-01-02T03:04:05.678Z error d\n',
  ]);
});

it('says everything at debug and nothing at silent', () => {
  const loud = record('debug');
  const quiet = record('silent');
  for (const { log } of [loud, quiet]) {
    log.debug('a');
    log.error('b');
  }

  expect(loud.lines).toHaveLength(2);
  expect(quiet.lines).toHaveLength(0);
});

it('keeps an entry on one line whatever it holds', () => {
  const { log, lines } = record();
  const loop: Record<string, unknown> = { big: 1n };
  loop.self = loop;

  log.warn('two\nlines', { text: 'a\nb' });
  log.warn('loop', loop);

  expect(lines.map((line) => line.split('\n').length)).toEqual([2, 2]);
  expect(lines[0]).toContain('two lines {"text":"a\\nb"}');
});
