/**
 * Gates, tasks for people, decisions, deadlines (docs/design/journal.md#parking). Notes on what is
 * not obvious:
 * - a gate has a row for each of its rounds; `ord` is the order in which things were opened, which
 *   is that of every list.
 * - `gates_open`, `gates_decided`, `items_open` are partial, by the predicates of the lists: what
 *   is decided stays for ever and would make those of what is open slow. `items_open` also holds
 *   what such a list is narrowed and counted by.
 * - nothing here is ever deleted but a deadline, and a decision changes in its mark `stale` alone:
 *   REPLACE deletes without firing a delete trigger, so it is refused as well.
 * - `decisions` by id and round: one that is carried into the next round is a row of its own and
 *   keeps its id.
 */
export const GATES = `
CREATE TABLE gates (
  ord INTEGER PRIMARY KEY,
  gate_id TEXT NOT NULL,
  round INTEGER NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs (id),
  topology_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  activation TEXT NOT NULL,
  funnel_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'changes-requested')),
  artifact_ref TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  policy TEXT NOT NULL,
  policy_digest TEXT NOT NULL,
  evidence TEXT NOT NULL,
  parts TEXT NOT NULL,
  escalated_to TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  expires_at TEXT,
  remind_at TEXT,
  decided_at TEXT,
  withdrawn INTEGER NOT NULL,
  UNIQUE (gate_id, round)
) STRICT;
CREATE INDEX gates_by_job ON gates (job_id, gate_id, round);
CREATE INDEX gates_decided ON gates (status, ord) WHERE status <> 'pending';
CREATE INDEX gates_open ON gates (ord) WHERE status = 'pending' AND withdrawn = 0;

CREATE TABLE review_items (
  ord INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('permission', 'input', 'role_task', 'other')),
  job_id TEXT NOT NULL REFERENCES jobs (id),
  topology_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  skill_id TEXT,
  step_key TEXT NOT NULL,
  gate_id TEXT,
  rule_index INTEGER,
  role TEXT,
  scope TEXT,
  round INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'changes-requested')),
  resolved_by TEXT NOT NULL,
  comment TEXT NOT NULL,
  answer TEXT,
  reason TEXT NOT NULL,
  artifact_ref TEXT NOT NULL,
  question TEXT,
  options TEXT NOT NULL,
  free_text_allowed INTEGER NOT NULL,
  details TEXT NOT NULL,
  stale INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  escalated INTEGER NOT NULL,
  reopened INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  resolved_at TEXT,
  CHECK ((kind = 'role_task') = (gate_id IS NOT NULL AND rule_index IS NOT NULL AND role IS NOT NULL AND scope IS NOT NULL)),
  FOREIGN KEY (gate_id, round) REFERENCES gates (gate_id, round)
) STRICT;
CREATE UNIQUE INDEX items_by_task ON review_items (gate_id, round, rule_index, role) WHERE gate_id IS NOT NULL;
CREATE INDEX items_by_job ON review_items (job_id, ord);
CREATE INDEX items_open ON review_items (ord, kind, role) WHERE status = 'pending' AND stale = 0 AND withdrawn = 0;

CREATE TABLE decisions (
  ord INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  item_id TEXT NOT NULL REFERENCES review_items (id),
  gate_id TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs (id),
  round INTEGER NOT NULL,
  rule_index INTEGER NOT NULL,
  role TEXT NOT NULL,
  scope TEXT NOT NULL,
  identity TEXT NOT NULL,
  person TEXT NOT NULL,
  assurance TEXT NOT NULL CHECK (assurance IN ('authenticated', 'asserted')),
  outcome TEXT NOT NULL CHECK (outcome IN ('approve', 'reject', 'changes_requested')),
  comment TEXT NOT NULL,
  at TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  policy_digest TEXT NOT NULL,
  registry_digest TEXT NOT NULL,
  stale INTEGER NOT NULL,
  carried_from INTEGER,
  signature TEXT,
  UNIQUE (id, round),
  FOREIGN KEY (gate_id, round) REFERENCES gates (gate_id, round)
) STRICT;
CREATE INDEX decisions_by_job ON decisions (job_id, ord);
CREATE INDEX decisions_by_item ON decisions (item_id);
CREATE INDEX decisions_by_gate ON decisions (gate_id, round);

CREATE TABLE timers (
  due_at TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs (id),
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (job_id, key, kind)
) STRICT;
CREATE INDEX timers_due ON timers (due_at);

CREATE TRIGGER gates_no_delete BEFORE DELETE ON gates BEGIN
  SELECT RAISE(ABORT, 'gates are never deleted');
END;
CREATE TRIGGER gates_no_replace BEFORE INSERT ON gates
WHEN EXISTS (SELECT 1 FROM gates WHERE ord = NEW.ord OR (gate_id = NEW.gate_id AND round = NEW.round))
BEGIN
  SELECT RAISE(ABORT, 'gates are never replaced');
END;
CREATE TRIGGER items_no_delete BEFORE DELETE ON review_items BEGIN
  SELECT RAISE(ABORT, 'review items are never deleted');
END;
CREATE TRIGGER items_no_replace BEFORE INSERT ON review_items
WHEN EXISTS (SELECT 1 FROM review_items WHERE ord = NEW.ord OR id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'review items are never replaced');
END;
CREATE TRIGGER decisions_no_delete BEFORE DELETE ON decisions BEGIN
  SELECT RAISE(ABORT, 'decisions are append-only');
END;
CREATE TRIGGER decisions_no_replace BEFORE INSERT ON decisions
WHEN EXISTS (SELECT 1 FROM decisions WHERE ord = NEW.ord OR (id = NEW.id AND round = NEW.round))
BEGIN
  SELECT RAISE(ABORT, 'decisions are append-only');
END;
CREATE TRIGGER decisions_no_update
BEFORE UPDATE OF ord, id, item_id, gate_id, job_id, round, rule_index, role, scope, identity, person, assurance, outcome, comment, at, sha256,
  policy_digest, registry_digest, carried_from, signature ON decisions
BEGIN
  SELECT RAISE(ABORT, 'decisions are append-only');
END;
`;
