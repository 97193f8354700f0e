// A run as tracing tools draw it, as `toWireSpan` makes it.
import { arrayOf, closed, described, NUMBER, nullable, recordOf, type Schema, STRING, type TypeOf } from './words.js';

const FIELDS = {
  name: STRING,
  start_ns: NUMBER,
  end_ns: described(nullable(NUMBER), 'Null: it has not ended.'),
  duration_ms: nullable(NUMBER),
  attributes: recordOf({ type: ['string', 'number', 'null'] } as Schema<string | number | null>),
  error: nullable(STRING),
};
const WITHOUT_CHILDREN = closed(FIELDS);

/** A tree: the type names itself as the schema does. */
export type WireSpan = TypeOf<typeof WITHOUT_CHILDREN> & { readonly children: readonly WireSpan[] };

export const SPAN: Schema<WireSpan> = {
  $id: 'TraceSpan',
  ...closed({ ...FIELDS, children: arrayOf({ $ref: 'TraceSpan#' } as Schema<WireSpan>) }),
};
