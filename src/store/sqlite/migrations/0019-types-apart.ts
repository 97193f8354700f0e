/**
 * The index of types filled for many events at once: a commit wrote a page of it for each type that
 * it told of, more than a quarter of all its pages. Notes on what is not obvious:
 * - `event_types` holds the place of each event by its type, up to the place that the row without a
 *   type names (none: nothing is filed yet); what lies behind that is read from the log itself
 *   (sql/events.ts), and never much (file-types.ts).
 * - `events_unfiled`: what is removed with its run is no place of a type any more.
 */
export const TYPES_APART = `
CREATE TABLE event_types (
  type TEXT NOT NULL,
  pos INTEGER NOT NULL,
  PRIMARY KEY (type, pos)
) STRICT, WITHOUT ROWID;
INSERT INTO event_types (type, pos) SELECT '', max(pos) FROM events HAVING max(pos) > 0;
INSERT INTO event_types (type, pos) SELECT type, pos FROM events ORDER BY type, pos;
DROP INDEX events_by_type;
CREATE TRIGGER events_unfiled AFTER DELETE ON events BEGIN
  DELETE FROM event_types WHERE type = OLD.type AND pos = OLD.pos;
END;
`;
