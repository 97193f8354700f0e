import { KitError } from '../../domain/errors.js';
import type { AttachmentRef } from '../../domain/job.js';
import { sha256Hex } from '../../lib/sha256.js';
import { checkFields } from './check-fields.js';
import { declaredSize } from './declared-size.js';
import { type ContentDeps, readContent } from './read-content.js';
import { refuseAttachment } from './refuse.js';
import { sniffMediaType } from './sniff.js';

/** Attachments of one run (docs/design/decisions.md#bodies). */
export const MAX_ATTACHMENTS = 16;

/**
 * Pixels that an image may declare: 100 million, five times what a large camera takes. Whoever
 * decompresses more needs 400 MB of memory for it, and a file of a few hundred bytes can ask for
 * that.
 */
const MAX_PIXELS = 100_000_000;

/**
 * What the job row keeps, and the bytes that the caller puts into the blob store under `ref.sha256`
 * before it.
 */
export interface PreparedAttachment {
  readonly ref: AttachmentRef;
  readonly bytes: Uint8Array;
}

/**
 * Checks and reads the attachments of a run request, in order; nothing is stored. The media type
 * comes from the content alone. Every refusal is KIT_ATTACHMENT_INVALID with `data: {index,
 * reason}` and says what is wrong with which one.
 */
export async function prepareAttachments(
  inputs: readonly unknown[],
  deps: ContentDeps,
): Promise<readonly PreparedAttachment[]> {
  if (inputs.length > MAX_ATTACHMENTS) {
    throw new KitError(
      'KIT_ATTACHMENT_INVALID',
      `${inputs.length} attachments are given; a run carries at most ${MAX_ATTACHMENTS}`,
      {
        data: { reason: 'too_many' },
      },
    );
  }
  const checked = inputs.map(checkFields);
  const prepared: PreparedAttachment[] = [];
  for (const [index, attachment] of checked.entries()) {
    const content = await readContent(attachment, index, deps);
    const sniffed = sniffMediaType(content.bytes);
    if (!sniffed.carried) {
      const what = content.sourcePath ?? attachment.name ?? 'data';
      throw refuseAttachment(
        index,
        'unsupported_media_type',
        `(${what}) is ${sniffed.mediaType}; only image/png, image/jpeg, image/gif and image/webp are carried`,
      );
    }
    const size = declaredSize(sniffed.mediaType, content.bytes);
    if (size !== null && size.width * size.height > MAX_PIXELS) {
      const what = content.sourcePath ?? attachment.name ?? 'data';
      throw refuseAttachment(
        index,
        'too_many_pixels',
        `(${what}) declares ${size.width} x ${size.height} pixels; at most ${MAX_PIXELS} are carried`,
      );
    }
    const name =
      attachment.name ?? content.fileName ?? `attachment-${index + 1}.${sniffed.mediaType.slice('image/'.length)}`;
    const { mediaType } = sniffed;
    const ref = {
      name,
      mediaType,
      sizeBytes: content.bytes.length,
      sha256: sha256Hex(content.bytes),
      sourcePath: content.sourcePath,
      handling: attachment.handling,
    };
    prepared.push({ ref, bytes: content.bytes });
  }
  return prepared;
}
