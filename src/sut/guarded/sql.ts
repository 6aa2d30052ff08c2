/** Every statement that the guarded executor runs, by name. */
export const guardedSql = {
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  rollback: "ROLLBACK",
  readPolicy: "SELECT revision, max_copies AS maxCopies, approval FROM policy WHERE singleton = 1",
  nextRevision: "UPDATE policy_revisions SET last = last + 1 WHERE singleton = 1",
  putPolicy: `INSERT INTO policy (singleton, revision, max_copies, approval)
    SELECT 1, last, @maxCopies, @approval FROM policy_revisions WHERE singleton = 1
    ON CONFLICT (singleton) DO UPDATE SET
      revision = excluded.revision, max_copies = excluded.max_copies, approval = excluded.approval`,
  removePolicy: "DELETE FROM policy WHERE singleton = 1",
  readCapabilities: `SELECT principal, tenant, tool, resource, held FROM capabilities
    WHERE principal = @principal ORDER BY tenant, tool, resource`,
  putCapability: `INSERT INTO capabilities (principal, tenant, tool, resource, held)
    VALUES (@principal, @tenant, @tool, @resource, @held)
    ON CONFLICT (principal, tenant, tool, resource) DO UPDATE SET held = excluded.held`,
  readStep: "SELECT step FROM steps WHERE tenant = @tenant AND run_id = @runId AND call_id = @callId",
  readRun: `SELECT step, call_id AS callId, replaces,
      EXISTS (SELECT 1 FROM receipts AS r WHERE r.tenant = s.tenant AND r.run_id = s.run_id
        AND r.call_id = s.call_id AND r.status = 'accepted') AS accepted,
      EXISTS (SELECT 1 FROM requests AS q JOIN decisions AS d ON d.request = q.number
        WHERE q.tenant = s.tenant AND q.run_id = s.run_id AND q.call_id = s.call_id
          AND d.verdict = 'deny') AS denied
    FROM steps AS s WHERE tenant = @tenant AND run_id = @runId ORDER BY number`,
  insertStep: `INSERT INTO steps (tenant, run_id, step, call_id, replaces)
    VALUES (@tenant, @runId, @step, @callId, @replaces)`,
  readRequests: `SELECT number, tenant, run_id AS runId, call_id AS callId, principal, tool, digest, revision,
      role, requested_at AS requestedAt, expires_at AS expiresAt
    FROM requests WHERE tenant = @tenant AND run_id = @runId AND call_id = @callId ORDER BY number`,
  readRequest: `SELECT number, tenant, run_id AS runId, call_id AS callId, principal, tool, digest, revision,
      role, requested_at AS requestedAt, expires_at AS expiresAt FROM requests WHERE number = @number`,
  readAllRequests: `SELECT number, tenant, run_id AS runId, call_id AS callId, principal, tool, digest, revision,
      role, requested_at AS requestedAt, expires_at AS expiresAt FROM requests ORDER BY number`,
  insertRequest: `INSERT INTO requests
      (tenant, run_id, call_id, principal, tool, digest, revision, role, requested_at, expires_at)
    VALUES (@tenant, @runId, @callId, @principal, @tool, @digest, @revision, @role, @requestedAt, @expiresAt)`,
  readDecisions: `SELECT d.number, d.request, d.verdict FROM decisions AS d JOIN requests AS q ON q.number = d.request
    WHERE q.tenant = @tenant AND q.run_id = @runId AND q.call_id = @callId ORDER BY d.number`,
  insertDecision: `INSERT INTO decisions (request, verdict, approver, role, decided_at)
    VALUES (@request, @verdict, @approver, @role, @decidedAt)`,
  readUse: `SELECT tool, digest, request FROM uses
    WHERE tenant = @tenant AND run_id = @runId AND call_id = @callId`,
  insertUse: `INSERT INTO uses (tenant, run_id, call_id, tool, digest, request)
    VALUES (@tenant, @runId, @callId, @tool, @digest, @request)`,
  readEffect: `SELECT digest, body, run_id AS runId, call_id AS callId FROM effects
    WHERE tenant = @tenant AND tool = @tool AND key = @key`,
  readCallEffect: `SELECT digest, body FROM effects
    WHERE tenant = @tenant AND tool = @tool AND run_id = @runId AND call_id = @callId`,
  insertEffect: `INSERT INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
    SELECT @tenant, @tool, @key, @digest, @body, revision, @runId, @callId FROM policy
    WHERE singleton = 1 AND revision = @revision AND max_copies >= @weight`,
  insertReceipt: `INSERT INTO receipts
      (delivery, tenant, run_id, call_id, key, status, code, effect_exists, events, layers, withheld, recorded_at)
    VALUES (@delivery, @tenant, @runId, @callId, @key, @status, @code, @effectExists, @events, @layers,
      @withheld, @recordedAt)`,
  insertEscalation: `INSERT INTO escalations (tenant, run_id, call_id, delivery, layer)
    VALUES (@tenant, @runId, @callId, @delivery, @layer)`,
  readReceipt: `SELECT status, code, effect_exists AS effectExists, events FROM receipts WHERE delivery = @delivery`,
  countTries: `SELECT count(*) AS tries FROM receipts WHERE tenant = @tenant AND run_id = @runId
    AND call_id = @callId AND status IN ('policy_changed', 'error')`,
} as const;

export const guardedSchema = `
  CREATE TABLE IF NOT EXISTS policy_revisions (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1), last INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS policy (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    revision INTEGER NOT NULL CHECK (revision > 0),
    max_copies INTEGER NOT NULL CHECK (max_copies BETWEEN 0 AND 9),
    approval TEXT NOT NULL CHECK (approval IN ('required', 'not_required'))) STRICT;
  CREATE TABLE IF NOT EXISTS capabilities (
    principal TEXT NOT NULL, tenant TEXT NOT NULL, tool TEXT NOT NULL, resource TEXT NOT NULL,
    held INTEGER NOT NULL CHECK (held IN (0, 1)),
    PRIMARY KEY (principal, tenant, tool, resource)) STRICT;
  CREATE TABLE IF NOT EXISTS steps (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL, run_id TEXT NOT NULL, step INTEGER NOT NULL, call_id TEXT NOT NULL,
    replaces TEXT NOT NULL, UNIQUE (tenant, run_id, call_id)) STRICT;
  CREATE TABLE IF NOT EXISTS requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL, principal TEXT NOT NULL,
    tool TEXT NOT NULL, digest TEXT NOT NULL, revision INTEGER NOT NULL, role TEXT NOT NULL,
    requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS requests_by_call ON requests (tenant, run_id, call_id);
  CREATE TABLE IF NOT EXISTS decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, request INTEGER NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('grant', 'deny')),
    approver TEXT NOT NULL, role TEXT NOT NULL, decided_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS uses (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL, tool TEXT NOT NULL,
    digest TEXT NOT NULL, request INTEGER, UNIQUE (tenant, run_id, call_id)) STRICT;
  CREATE TABLE IF NOT EXISTS effects (
    tenant TEXT NOT NULL, tool TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL,
    revision INTEGER NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS effects_by_key ON effects (tenant, tool, key) WHERE key <> '';
  CREATE TABLE IF NOT EXISTS receipts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, delivery TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL, key TEXT,
    status TEXT NOT NULL, code TEXT NOT NULL, effect_exists INTEGER NOT NULL CHECK (effect_exists IN (0, 1)),
    events TEXT NOT NULL, layers TEXT NOT NULL, withheld TEXT NOT NULL, recorded_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS escalations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL, delivery TEXT NOT NULL,
    layer TEXT NOT NULL CHECK (layer IN ('capability', 'output'))) STRICT;
`;

/** Rows of one run. */
export const guardedTables = [
  "policy",
  "policy_revisions",
  "capabilities",
  "steps",
  "requests",
  "decisions",
  "uses",
  "effects",
  "receipts",
  "escalations",
] as const;
