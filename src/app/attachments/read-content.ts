import { basename, dirname, isAbsolute, join, posix, relative, sep, win32 } from 'node:path';
import type { Files } from '../../domain/ports/system.js';
import { isBelow } from '../../lib/is-inside.js';
import type { CheckedAttachment } from './check-fields.js';
import { refuseAttachment } from './refuse.js';

/** What `readContent` reads with, and the bounds it keeps to. */
export interface ContentDeps {
  readonly files: Pick<Files, 'readBytes' | 'realPath' | 'list' | 'sizeBytes'>;
  /** Absolute directory of the workspace. */
  readonly workspaceRoot: string;
  /** `KIT_ATTACHMENT_MAX_BYTES`; bytes of one attachment. */
  readonly maxBytes: number;
}

/** The bytes of one attachment and where they came from; their type is not known yet. */
export interface AttachmentContent {
  readonly bytes: Uint8Array;
  /** Workspace-relative, forward slashes; null when the caller held the bytes. */
  readonly sourcePath: string | null;
  /** Null when the caller held the bytes and gave no name. */
  readonly fileName: string | null;
}

/** The bytes of one attachment, within the size limit. Throws KIT_ATTACHMENT_INVALID. */
export async function readContent(
  attachment: CheckedAttachment,
  index: number,
  deps: ContentDeps,
): Promise<AttachmentContent> {
  const content =
    attachment.from === 'data'
      ? { bytes: decodeBase64(attachment.data, index, deps.maxBytes), sourcePath: null, fileName: null }
      : await readFile(attachment.path, index, deps);
  if (content.bytes.length === 0) throw refuseAttachment(index, 'empty', 'is empty');
  if (content.bytes.length > deps.maxBytes) throw tooLarge(index, content.bytes.length, deps.maxBytes);
  return content;
}

/**
 * The place is judged after symbolic links: a link inside the workspace that leads out of it is
 * outside.
 */
async function readFile(path: string, index: number, deps: ContentDeps): Promise<AttachmentContent> {
  if (isAbsolute(path) || posix.isAbsolute(path) || win32.isAbsolute(path)) {
    throw refuseAttachment(
      index,
      'absolute_path',
      `has the absolute path ${path}; paths are relative to the workspace`,
    );
  }
  const root = await deps.files.realPath(deps.workspaceRoot);
  const wanted = path.includes('\0') ? null : join(deps.workspaceRoot, path);
  if (root === null || wanted === null)
    throw refuseAttachment(index, 'missing_file', `names ${JSON.stringify(path)}, which does not exist`);
  if (!isBelow(deps.workspaceRoot, wanted)) throw escapes(index, path);
  const real = await deps.files.realPath(wanted);
  if (real === null)
    throw refuseAttachment(index, 'missing_file', `names ${path}, which does not exist in the workspace`);
  if (!isBelow(root, real)) throw escapes(index, path);
  // Looked at before it is opened: reading a named pipe would never end.
  const listed = (await deps.files.list(dirname(real)))?.find((one) => one.name === basename(real));
  if (listed?.kind !== 'file') throw refuseAttachment(index, 'not_a_file', `names ${path}, which is not a file`);
  const size = (await deps.files.sizeBytes?.(real)) ?? 0;
  if (size > deps.maxBytes) throw tooLarge(index, size, deps.maxBytes);
  const bytes = await deps.files.readBytes(real).catch(() => null);
  if (bytes === null) throw refuseAttachment(index, 'unreadable', `names ${path}, which cannot be read`);
  return { bytes, sourcePath: relative(deps.workspaceRoot, wanted).split(sep).join('/'), fileName: basename(wanted) };
}

const escapes = (index: number, path: string) =>
  refuseAttachment(index, 'outside_workspace', `has the path ${path}, which escapes the workspace`);

const tooLarge = (index: number, bytes: number, maxBytes: number) =>
  refuseAttachment(
    index,
    'too_large',
    `has ${bytes} bytes; at most ${maxBytes} are carried`,
    'Attach a smaller image, or raise KIT_ATTACHMENT_MAX_BYTES.',
  );

/** Standard base64, line breaks allowed. The length is judged before anything is decoded. */
function decodeBase64(data: string, index: number, maxBytes: number): Uint8Array {
  if (data.startsWith('data:'))
    throw refuseAttachment(index, 'bad_base64', 'has a data: address in data; give the base64 alone');
  const text = data.replace(/[\r\n]+/g, '');
  const atMost = Math.floor((text.length * 3) / 4);
  if (atMost > maxBytes + 2) throw tooLarge(index, atMost, maxBytes);
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw refuseAttachment(index, 'bad_base64', 'has data that is not base64');
  return Buffer.from(text, 'base64');
}
