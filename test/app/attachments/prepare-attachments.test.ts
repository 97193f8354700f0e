import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredSize } from '../../../src/app/attachments/declared-size.js';
import { prepareAttachments } from '../../../src/app/attachments/prepare-attachments.js';
import { sniffMediaType } from '../../../src/app/attachments/sniff.js';
import { isKitError } from '../../../src/domain/errors.js';
import { nodeFiles } from '../../../src/system/files.js';

const bytesOf = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const PNG = bytesOf([0x89], 'PNG\r\n', [0x1a, 0x0a], 'rest');
const JPEG = bytesOf([0xff, 0xd8, 0xff, 0xe0], 'JFIF');
const GIF = bytesOf('GIF89a', 'rest');
const WEBP = bytesOf('RIFF', [4, 0, 0, 0], 'WEBPVP8 ');

let base = '';
let root = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'kit-attach-'));
  root = join(base, 'workspace');
  await mkdir(join(root, 'images'), { recursive: true });
  await writeFile(join(base, 'outside.png'), PNG);
  await writeFile(join(root, 'images', 'a.png'), PNG);
  await writeFile(join(root, 'images', 'lies.png'), '%PDF-1.7 not an image');
  await writeFile(join(root, 'images', 'empty.png'), '');
  await writeFile(join(root, 'images', 'notes.png'), 'just some text');
  await symlink(join(base, 'outside.png'), join(root, 'images', 'link-out.png'));
  await symlink(join(root, 'images', 'a.png'), join(root, 'link-in.png'));
  await symlink(base, join(root, 'up'));
  execFileSync('mkfifo', [join(root, 'pipe.png')]);
});
afterAll(() => rm(base, { recursive: true, force: true }));

const prepare = (inputs: readonly unknown[], maxBytes = 1_000) =>
  prepareAttachments(inputs, { files: nodeFiles, workspaceRoot: root, maxBytes });

async function reasonOf(
  input: unknown,
  maxBytes?: number,
): Promise<{ readonly reason: unknown; readonly message: string; readonly status: number }> {
  const error = await prepare([{ path: 'images/a.png' }, input], maxBytes).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isKitError(error) || error.code !== 'KIT_ATTACHMENT_INVALID')
    throw new Error(`expected a refusal, got ${String(error)}`);
  expect(error.message).toMatch(/^attachment 2 /);
  return { reason: error.data.reason, message: error.message, status: error.httpStatus };
}

describe('prepareAttachments', () => {
  it('describes a file of the workspace and gives its bytes', async () => {
    const [prepared] = await prepare([{ path: 'images/../images/a.png' }]);
    expect(prepared?.ref).toEqual({
      name: 'a.png',
      mediaType: 'image/png',
      sizeBytes: PNG.length,
      sha256: createHash('sha256').update(PNG).digest('hex'),
      sourcePath: 'images/a.png',
      handling: 'preprocess',
    });
    expect(Buffer.from(prepared?.bytes ?? [])).toEqual(PNG);
  });

  it('takes the type from the content and the name from the caller', async () => {
    const prepared = await prepare([
      { data: JPEG.toString('base64'), name: 'photo.txt', handling: 'native' },
      { data: GIF.toString('base64') },
      { data: `${WEBP.toString('base64').slice(0, 8)}\r\n${WEBP.toString('base64').slice(8)}` },
    ]);
    expect(prepared.map(({ ref }) => [ref.name, ref.mediaType, ref.sourcePath, ref.handling])).toEqual([
      ['photo.txt', 'image/jpeg', null, 'native'],
      ['attachment-2.gif', 'image/gif', null, 'preprocess'],
      ['attachment-3.webp', 'image/webp', null, 'preprocess'],
    ]);
  });

  it('follows a link that stays inside the workspace', async () => {
    expect((await prepare([{ path: 'link-in.png' }]))[0]?.ref.sourcePath).toBe('link-in.png');
  });

  it.each([
    ['a field that is not allowed', { path: 'images/a.png', size: 4 }, 'unknown_field', '"size"'],
    ['a media type from the caller', { path: 'images/a.png', type: 'image/png' }, 'type_given', '"type"'],
    ['media_type', { path: 'images/a.png', media_type: 'image/png' }, 'type_given', '"media_type"'],
    ['an address', { url: 'https://example.test/a.png' }, 'remote_source', '"url"'],
    ['a stream', { stream: true }, 'remote_source', '"stream"'],
    ['both path and data', { path: 'images/a.png', data: 'AAAA' }, 'path_and_data', 'both'],
    ['neither path nor data', { name: 'x' }, 'no_content', 'neither'],
    ['something that is not an object', 'images/a.png', 'not_an_object', 'object'],
    ['a path that is not text', { path: 5 }, 'bad_field', 'path'],
    ['an empty path', { path: '' }, 'bad_field', 'path that is empty'],
    ['a name with a slash', { path: 'images/a.png', name: '../x' }, 'bad_name', 'name'],
    ['a name with a line break', { path: 'images/a.png', name: 'a\nb' }, 'bad_name', 'name'],
    ['another handling', { path: 'images/a.png', handling: 'raw' }, 'bad_handling', '"raw"'],
    ['an absolute path', { path: '/etc/passwd' }, 'absolute_path', '/etc/passwd'],
    ['an absolute path of Windows', { path: 'C:\\a.png' }, 'absolute_path', 'C:'],
    ['a path that climbs out', { path: '../outside.png' }, 'outside_workspace', 'escapes'],
    ['a link that leads out', { path: 'images/link-out.png' }, 'outside_workspace', 'escapes'],
    ['a path through a directory link that leads out', { path: 'up/outside.png' }, 'outside_workspace', 'escapes'],
    ['the workspace itself', { path: '.' }, 'outside_workspace', 'escapes'],
    ['a missing file', { path: 'images/none.png' }, 'missing_file', 'images/none.png'],
    ['a path with a NUL', { path: 'images/a\0.png' }, 'missing_file', 'does not exist'],
    ['a directory', { path: 'images' }, 'not_a_file', 'images'],
    ['a named pipe', { path: 'pipe.png' }, 'not_a_file', 'pipe.png'],
    ['an empty file', { path: 'images/empty.png' }, 'empty', 'empty'],
    ['a PDF under the name of an image', { path: 'images/lies.png' }, 'unsupported_media_type', 'application/pdf'],
    ['text under the name of an image', { path: 'images/notes.png' }, 'unsupported_media_type', 'text/plain'],
    ['data that is not base64', { data: 'not base64!' }, 'bad_base64', 'base64'],
    ['base64 without its padding', { data: 'AAA' }, 'bad_base64', 'base64'],
    ['a data address', { data: `data:image/png;base64,${PNG.toString('base64')}` }, 'bad_base64', 'data:'],
  ])('refuses %s', async (_, input, reason, word) => {
    const refusal = await reasonOf(input);
    expect(refusal.reason).toBe(reason);
    expect(refusal.message).toContain(word);
    expect(refusal.status).toBe(422);
  });

  it('refuses one byte more than the limit, from a file and from data', async () => {
    expect(await prepare([{ path: 'images/a.png' }, { data: PNG.toString('base64') }], PNG.length)).toHaveLength(2);
    const big = Buffer.concat([PNG, Buffer.alloc(1)]);
    await writeFile(join(root, 'images', 'big.png'), big);
    expect((await reasonOf({ path: 'images/big.png' }, PNG.length)).reason).toBe('too_large');
    expect((await reasonOf({ data: big.toString('base64') }, PNG.length)).reason).toBe('too_large');
    expect((await reasonOf({ data: 'A'.repeat(40_000) }, PNG.length)).message).toContain('at most');
  });

  it('carries sixteen attachments and refuses seventeen', async () => {
    const one = { path: 'images/a.png' };
    expect(await prepare(Array.from({ length: 16 }, () => one))).toHaveLength(16);
    await expect(prepare(Array.from({ length: 17 }, () => one))).rejects.toMatchObject({
      code: 'KIT_ATTACHMENT_INVALID',
      data: { reason: 'too_many' },
    });
  });
});

describe('declaredSize', () => {
  const webp = (kind: string, ...body: readonly number[]): Buffer =>
    bytesOf('RIFF', [99, 0, 0, 0], `WEBP${kind}`, [20, 0, 0, 0], [...body, ...Array(20).fill(0)]);
  it.each([
    [
      'image/png',
      bytesOf(
        [0x89],
        'PNG\r\n',
        [0x1a, 0x0a],
        [0, 0, 0, 13],
        'IHDR',
        [0, 1, 0, 0],
        [0, 0, 0, 7, 8, 6, 0, 0, 0, 1, 2, 3, 4],
      ),
      { width: 65_536, height: 7 },
    ],
    ['image/gif', bytesOf('GIF89a', [0x10, 0x27, 0x02, 0x00, 0, 0, 0]), { width: 10_000, height: 2 }],
    [
      'image/jpeg',
      bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 3, 0, 9, 1]),
      { width: 9, height: 3 },
    ],
    ['image/webp', webp('VP8X', 0, 0, 0, 0, 0x0f, 0x27, 0x00, 0x01, 0, 0), { width: 10_000, height: 2 }],
    ['image/webp', webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x05, 0x40, 0x06, 0x00), { width: 5, height: 6 }],
    ['image/webp', webp('VP8L', 0x2f, 0x03, 0x80, 0x00, 0x00), { width: 4, height: 3 }],
    ['image/webp', webp('ALPH'), null],
    ['image/png', PNG, null],
    ['image/jpeg', JPEG, null],
  ] as const)('reads what %s declares', (mediaType, bytes, size) => {
    expect(declaredSize(mediaType, bytes)).toEqual(size);
  });

  it('reads no image of any bytes beyond their end', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.constantFrom('image/png', 'image/gif', 'image/jpeg', 'image/webp'),
        (bytes, mediaType) => {
          declaredSize(mediaType as 'image/png', bytes);
        },
      ),
    );
  });
});

describe('sniffMediaType', () => {
  it('never takes bytes for an image unless they begin like one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const sniffed = sniffMediaType(bytes);
        const begins = [PNG.subarray(0, 8), JPEG.subarray(0, 3), Buffer.from('GIF87a'), Buffer.from('GIF89a')].some(
          (magic) => Buffer.from(bytes).subarray(0, magic.length).equals(magic),
        );
        return sniffed.carried === begins || sniffed.mediaType === 'image/webp';
      }),
    );
  });

  it.each([
    ['image/svg+xml', '<?xml version="1.0"?><svg xmlns="x">'],
    ['text/html', '<!DOCTYPE html><html>'],
    ['application/zip', 'PK\u0003\u0004'],
    ['image/heic', '\0\0\0\u0018ftypheic'],
    ['application/octet-stream', '\0\u0001\u0002'],
  ])('names %s when it refuses', (mediaType, text) => {
    expect(sniffMediaType(Buffer.from(text, 'latin1'))).toEqual({ carried: false, mediaType });
  });
});
