import { KitError } from '../../domain/errors.js';

/** Machine-readable cause of a refusal, in `data.reason`. */
export type AttachmentRefusal =
  | 'too_many'
  | 'not_an_object'
  | 'unknown_field'
  | 'type_given'
  | 'remote_source'
  | 'bad_field'
  | 'bad_name'
  | 'bad_handling'
  | 'path_and_data'
  | 'no_content'
  | 'absolute_path'
  | 'outside_workspace'
  | 'missing_file'
  | 'not_a_file'
  | 'unreadable'
  | 'bad_base64'
  | 'empty'
  | 'too_large'
  | 'too_many_pixels'
  | 'unsupported_media_type';

/** `attachment 2 (drawing.pdf) ...`: people count from 1, `data.index` from 0. */
export function refuseAttachment(index: number, reason: AttachmentRefusal, problem: string, hint?: string): KitError {
  return new KitError('KIT_ATTACHMENT_INVALID', `attachment ${index + 1} ${problem}`, {
    data: { index, reason },
    ...(hint === undefined ? {} : { hint }),
  });
}
