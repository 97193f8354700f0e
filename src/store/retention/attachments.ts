/** A row's attachments as they are stored. */
export interface AttachmentsRow {
  readonly attachments: string;
}

/** Digests of the files that runs were given. */
export const attachmentDigests = (rows: readonly AttachmentsRow[]): readonly string[] =>
  // Written by `newRowParams` from `AttachmentRef`s.
  rows.flatMap(({ attachments }) =>
    (JSON.parse(attachments) as readonly { readonly sha256: string }[]).map(({ sha256 }) => sha256),
  );
