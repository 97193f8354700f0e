import { describe, expect, it } from 'vitest';
import { packageOfStack, pluginOfStack } from '../../src/host/plugin-of-stack.js';

const places = [
  { name: 'own', root: '/kit/node_modules/own', isBundled: true },
  { name: 'outer', root: '/home/a b/outer', isBundled: false },
  { name: 'inner', root: '/home/a b/outer/inner', isBundled: false },
];
const at = (...files: readonly string[]): string =>
  ['Error: at /home/a b/outer/x.js', ...files.map((file) => `    at fn (${file}:1:2)`)].join('\n');

describe('the plugin that a stack is about', () => {
  it.each([
    ['the first frame of a foreign one', at('file:///lib/y.js', 'file:///home/a%20b/outer/x.js'), 'outer'],
    ['the innermost of two that hold it', at('/home/a b/outer/inner/x.js'), 'inner'],
    ['a foreign one below kit', at('file:///kit/node_modules/own/x.js', 'file:///home/a%20b/outer/x.js'), 'outer'],
    ['one of kit where its own code threw', at('node:timers', 'file:///kit/node_modules/own/x.js'), 'own'],
    ['not one of kit further below', at('file:///kit/dist/x.js', 'file:///kit/node_modules/own/x.js'), null],
    ['not one that only the message names', at('node:timers'), null],
    ['not one whose name only begins like it', at('file:///home/a%20b/outer2/x.js'), null],
    ['nobody without a stack', '', null],
  ])('is %s', (_what, stack, expected) => {
    expect(pluginOfStack(stack, places)).toBe(expected);
  });

  it('is told by the package that it stands on', () => {
    const stack = at('node:net', 'file:///data/node_modules/@x/dep/lib/i.js');
    expect(packageOfStack(stack, '/data/node_modules')).toBe('@x/dep');
    expect(packageOfStack(at('file:///data/node_modules/dep/i.js'), '/data/node_modules')).toBe('dep');
    expect(packageOfStack(at('file:///elsewhere/dep/i.js'), '/data/node_modules')).toBeNull();
  });
});
