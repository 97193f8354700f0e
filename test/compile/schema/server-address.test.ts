import { expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';

function messagesOf(url: string): readonly string[] {
  const text = `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: a, name: A }\nserver: { public_url: "${url}" }\n`;
  const { parsed } = parseSource({ path: 'a.yaml', text });
  return parsed === null
    ? ['it does not parse']
    : checkSchema('Workspace', parsed.value, parsed).map((one) => one.message);
}

test.each(['kit.example.com', 'localhost:8000', 'ftp://kit.example.com', 'https://', 'https:///x'])(
  '%s is not an address under which a server is reached',
  (url) => {
    expect(messagesOf(url)).toEqual([expect.stringContaining('an address such as https://kit.example.com')]);
  },
);

test.each(['https://kit.example.com', 'http://localhost:8000', 'https://kit.example.com/base/'])('%s is one', (url) => {
  expect(messagesOf(url)).toEqual([]);
});
