-- Patrols: what is looked at (templates), when and by whom (plans), each time of it (tasks), and what was found.
CREATE SEQUENCE patrol_numbers;
GRANT USAGE ON SEQUENCE patrol_numbers TO :app_role;

CREATE TABLE patrol_templates (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  -- Empty: of the whole group.
  bc_id      uuid,
  name       text NOT NULL,
  items      jsonb NOT NULL,
  status     smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2)),
  changed_by text NOT NULL DEFAULT '',
  changed_at timestamptz,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
SELECT protect('patrol_templates');

CREATE TABLE patrol_plans (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  bc_id       uuid NOT NULL,
  name        text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('scene', 'remote', 'plan')),
  template_id uuid,
  -- Empty: all sites of the branch that are under construction.
  site_ids    uuid[],
  every       text NOT NULL CHECK (every IN ('day', 'week', 'stage')),
  weekdays    smallint[] NOT NULL,
  stage       text,
  share       text NOT NULL CHECK (share IN ('one', 'each')),
  user_ids    uuid[] NOT NULL,
  from_time   text NOT NULL,
  to_time     text NOT NULL,
  days        smallint NOT NULL CHECK (days BETWEEN 1 AND 14),
  -- Nothing is asked for before this day.
  starts_on   date NOT NULL,
  status      smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2)),
  changed_by  text NOT NULL DEFAULT '',
  changed_at  timestamptz,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, template_id) REFERENCES patrol_templates,
  CHECK ((kind = 'remote') = (template_id IS NULL)),
  CHECK ((every = 'stage') = (stage IS NOT NULL)));
CREATE INDEX patrol_plans_branch ON patrol_plans (tenant_id, bc_id, status);
SELECT protect('patrol_plans');

CREATE TABLE patrol_tasks (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  bc_id      uuid NOT NULL,
  site_id    uuid NOT NULL,
  plan_id    uuid NOT NULL,
  -- The day it is about; of a stage the one on which it began.
  day        date NOT NULL,
  -- Where everybody does one of their own: whose it is.
  user_id    uuid,
  user_ids   uuid[] NOT NULL,
  opens_at   timestamptz NOT NULL,
  closes_at  timestamptz NOT NULL,
  lapses_at  timestamptz NOT NULL,
  -- Done 3, late 4, excused 6. Before that the clock says what it is: planned, due or missed.
  outcome    smallint CHECK (outcome IN (3, 4, 6)),
  reason     text NOT NULL DEFAULT '',
  excused_by text NOT NULL DEFAULT '',
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, plan_id) REFERENCES patrol_plans);
-- However often and wherever the work is done that makes them, there is one.
CREATE UNIQUE INDEX patrol_tasks_once ON patrol_tasks
  (tenant_id, plan_id, site_id, day, coalesce(user_id, '00000000-0000-0000-0000-000000000000'::uuid));
CREATE INDEX patrol_tasks_time ON patrol_tasks (tenant_id, opens_at DESC, id DESC);
CREATE INDEX patrol_tasks_branch ON patrol_tasks (tenant_id, bc_id, opens_at DESC, id DESC);
CREATE INDEX patrol_tasks_site ON patrol_tasks (tenant_id, site_id, opens_at DESC, id DESC);
CREATE INDEX patrol_tasks_people ON patrol_tasks USING gin (user_ids) WHERE outcome IS NULL;
SELECT protect('patrol_tasks');

CREATE TABLE patrols (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  number       text NOT NULL,
  bc_id        uuid NOT NULL,
  site_id      uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('scene', 'remote', 'plan')),
  task_id      uuid,
  template_id  uuid,
  -- The template's name when it began.
  template     text NOT NULL DEFAULT '',
  inspector_id uuid NOT NULL,
  begun_at     timestamptz NOT NULL,
  submitted_at timestamptz,
  status       smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2, 3)),
  lng          double precision,
  lat          double precision,
  accuracy     real,
  distance     int,
  place        text NOT NULL DEFAULT 'unknown' CHECK (place IN ('near', 'far', 'unknown')),
  score        smallint CHECK (score BETWEEN 0 AND 100),
  problems     int NOT NULL DEFAULT 0,
  remark       text NOT NULL DEFAULT '',
  -- What was handed in: the same again is known by it.
  digest       text,
  device_id    uuid,
  picture      text,
  picture_at   timestamptz,
  tidiness     smallint CHECK (tidiness IN (1, 2, 3, 4)),
  reason       text NOT NULL DEFAULT '',
  version      int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, number),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, task_id) REFERENCES patrol_tasks,
  FOREIGN KEY (tenant_id, template_id) REFERENCES patrol_templates,
  FOREIGN KEY (tenant_id, inspector_id) REFERENCES users,
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices,
  CHECK ((status = 2) = (submitted_at IS NOT NULL)));
-- An occurrence is done by one patrol, a still judged once by one person.
CREATE UNIQUE INDEX patrols_task ON patrols (tenant_id, task_id) WHERE status IN (1, 2);
CREATE UNIQUE INDEX patrols_still ON patrols (tenant_id, inspector_id, picture) WHERE picture IS NOT NULL;
CREATE INDEX patrols_newest ON patrols (tenant_id, begun_at DESC, id DESC);
CREATE INDEX patrols_branch ON patrols (tenant_id, bc_id, begun_at DESC, id DESC);
CREATE INDEX patrols_site ON patrols (tenant_id, site_id, kind, submitted_at DESC) WHERE status = 2;
CREATE INDEX patrols_of_site ON patrols (tenant_id, site_id, begun_at DESC, id DESC);
CREATE INDEX patrols_person ON patrols (tenant_id, inspector_id, begun_at DESC, id DESC);
SELECT protect('patrols');

CREATE TABLE patrol_items (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  patrol_id     uuid NOT NULL,
  sort          smallint NOT NULL,
  title         text NOT NULL,
  hint          text NOT NULL DEFAULT '',
  weight        smallint NOT NULL,
  photo         boolean NOT NULL,
  verdict       text CHECK (verdict IN ('passed', 'failed', 'none')),
  remark        text NOT NULL DEFAULT '',
  pictures      text[] NOT NULL DEFAULT '{}',
  problem       text NOT NULL DEFAULT '',
  correction_id uuid,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, patrol_id) REFERENCES patrols,
  FOREIGN KEY (tenant_id, correction_id) REFERENCES corrections);
CREATE INDEX patrol_items_of ON patrol_items (tenant_id, patrol_id, sort);
SELECT protect('patrol_items');
