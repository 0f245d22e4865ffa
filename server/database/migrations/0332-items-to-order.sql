-- What of each item of a contract is still to be ordered and by which day, kept as its pieces change: the plan
-- is sorted by that day, and joining every open piece with its product and stage took a tenth of a second
-- (docs/decisions/0291).
CREATE TABLE items_to_order (
  tenant_id    uuid NOT NULL,
  item_id      uuid NOT NULL,
  bc_id        uuid NOT NULL,
  site_id      uuid NOT NULL,
  product_id   uuid,
  stage        text,
  quantity     numeric NOT NULL,
  held         numeric NOT NULL,
  stage_on     date,
  lead_days    int NOT NULL,
  suggested_on date GENERATED ALWAYS AS (stage_on - lead_days) STORED,
  PRIMARY KEY (tenant_id, item_id));
CREATE INDEX items_to_order_first ON items_to_order (tenant_id, bc_id, suggested_on, site_id, stage, item_id);
CREATE INDEX items_to_order_stage ON items_to_order (tenant_id, site_id, stage);
CREATE INDEX items_to_order_product ON items_to_order (tenant_id, product_id);
COMMENT ON TABLE items_to_order IS 'derived';
SELECT protect('items_to_order');

-- How many days before its stage a product is to be ordered: its own, or those of the nearest category above it.
CREATE FUNCTION lead_days_of(tenant uuid, product uuid) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT coalesce(d.lead_days, g.lead_days, h.lead_days, j.lead_days)
    FROM products d
    LEFT JOIN product_categories g ON g.tenant_id = d.tenant_id AND g.id = d.category_id
    LEFT JOIN product_categories h ON h.tenant_id = d.tenant_id AND h.id = g.parent_id
    LEFT JOIN product_categories j ON j.tenant_id = d.tenant_id AND j.id = h.parent_id
    WHERE d.tenant_id = tenant AND d.id = product), 0)::int
$$;

-- Whoever moves pieces, plans stages or edits products may see less than all items of them: the owner keeps the table.
-- An item at a time, each by its keys: a restore fires this before anything is counted for the planner.
CREATE FUNCTION keep_item_to_order(tenant uuid, item uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
DECLARE
  now record;
  of record;
  begins date;
BEGIN
  SELECT p.bc_id, p.site_id, coalesce(sum(p.quantity) FILTER (WHERE p.place = 'open'), 0) AS quantity,
    coalesce(sum(p.quantity) FILTER (WHERE p.place = 'held'), 0) AS held
  INTO now
  FROM pieces p
  WHERE p.tenant_id = tenant AND p.item_id = item AND p.order_state = 1
  GROUP BY p.bc_id, p.site_id;
  IF NOT FOUND THEN
    DELETE FROM items_to_order k WHERE k.tenant_id = tenant AND k.item_id = item;
    RETURN;
  END IF;
  -- The day of what stands here already is kept by whoever changes its stage or lead time.
  UPDATE items_to_order k SET quantity = now.quantity, held = now.held
  WHERE k.tenant_id = tenant AND k.item_id = item;
  IF FOUND THEN RETURN; END IF;
  SELECT i.product_id, i.stage INTO of FROM contract_items i WHERE i.tenant_id = tenant AND i.id = item;
  -- What is new here waits for whoever plans its stage at the same time.
  SELECT t.planned_start INTO begins
  FROM site_stages t
  WHERE t.tenant_id = tenant AND t.site_id = now.site_id AND t.stage = of.stage
  FOR SHARE;
  INSERT INTO items_to_order
    (tenant_id, item_id, bc_id, site_id, product_id, stage, quantity, held, stage_on, lead_days)
  VALUES (tenant, item, now.bc_id, now.site_id, of.product_id, of.stage, now.quantity, now.held, begins,
    lead_days_of(tenant, of.product_id))
  ON CONFLICT (tenant_id, item_id) DO UPDATE SET quantity = excluded.quantity, held = excluded.held;
END $$;

CREATE FUNCTION pieces_to_order() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM keep_item_to_order(c.tenant_id, c.item_id)
    FROM (SELECT n.tenant_id, n.item_id FROM changed n WHERE n.order_state = 1
      UNION SELECT w.tenant_id, w.item_id FROM was w WHERE w.order_state = 1
      ORDER BY 1, 2) c;
  ELSE
    PERFORM keep_item_to_order(c.tenant_id, c.item_id)
    FROM (SELECT DISTINCT n.tenant_id, n.item_id FROM changed n WHERE n.order_state = 1 ORDER BY 1, 2) c;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER pieces_to_order_added AFTER INSERT ON pieces
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION pieces_to_order();
CREATE TRIGGER pieces_to_order_moved AFTER UPDATE ON pieces
  REFERENCING OLD TABLE AS was NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION pieces_to_order();
CREATE TRIGGER pieces_to_order_gone AFTER DELETE ON pieces
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION pieces_to_order();

-- A stage is there before the goods of its site are.
CREATE FUNCTION stage_of_items_planned() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  UPDATE items_to_order SET stage_on = NEW.planned_start
  WHERE tenant_id = NEW.tenant_id AND site_id = NEW.site_id AND stage = NEW.stage;
  RETURN NULL;
END $$;
CREATE TRIGGER stage_of_items_planned AFTER UPDATE OF planned_start ON site_stages
  FOR EACH ROW WHEN (OLD.planned_start IS DISTINCT FROM NEW.planned_start)
  EXECUTE FUNCTION stage_of_items_planned();

-- A category's lead time is that of all below it which name none: they are few changes, and all items are asked.
CREATE FUNCTION lead_of_items_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  UPDATE items_to_order k SET lead_days = n.lead_days
  FROM (
    SELECT p.product_id, lead_days_of(NEW.tenant_id, p.product_id) AS lead_days
    FROM (SELECT DISTINCT i.product_id FROM items_to_order i WHERE i.tenant_id = NEW.tenant_id
      AND (TG_TABLE_NAME = 'product_categories' OR i.product_id = NEW.id)) p) n
  WHERE k.tenant_id = NEW.tenant_id AND k.product_id = n.product_id AND k.lead_days <> n.lead_days;
  RETURN NULL;
END $$;
CREATE TRIGGER lead_of_items_changed AFTER UPDATE OF lead_days, category_id ON products
  FOR EACH ROW WHEN (OLD.lead_days IS DISTINCT FROM NEW.lead_days OR OLD.category_id <> NEW.category_id)
  EXECUTE FUNCTION lead_of_items_changed();
CREATE TRIGGER lead_of_items_changed AFTER UPDATE OF lead_days, parent_id ON product_categories
  FOR EACH ROW WHEN (OLD.lead_days IS DISTINCT FROM NEW.lead_days OR OLD.parent_id IS DISTINCT FROM NEW.parent_id)
  EXECUTE FUNCTION lead_of_items_changed();

-- How many items of a stage a branch has still to order: a plan without other filters need not count its rows. Neither
-- the branch nor the stage of an item changes.
CREATE TABLE to_order_counts (
  tenant_id uuid NOT NULL,
  bc_id     uuid NOT NULL,
  -- Empty: of no stage.
  stage     text NOT NULL,
  count     int NOT NULL,
  PRIMARY KEY (tenant_id, bc_id, stage));
COMMENT ON TABLE to_order_counts IS 'derived';
SELECT protect('to_order_counts');
CREATE FUNCTION count_items_to_order() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  INSERT INTO to_order_counts AS k (tenant_id, bc_id, stage, count)
  SELECT c.tenant_id, c.bc_id, coalesce(c.stage, ''), (CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END) * count(*)
  FROM changed c
  GROUP BY 1, 2, 3
  ORDER BY 1, 2, 3
  ON CONFLICT (tenant_id, bc_id, stage) DO UPDATE SET count = k.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER items_to_order_counted AFTER INSERT ON items_to_order
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_items_to_order();
CREATE TRIGGER items_to_order_uncounted AFTER DELETE ON items_to_order
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_items_to_order();

CREATE FUNCTION items_to_order_emptied() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  DELETE FROM items_to_order;
  RETURN NULL;
END $$;
CREATE TRIGGER items_to_order_emptied AFTER TRUNCATE ON pieces
  FOR EACH STATEMENT EXECUTE FUNCTION items_to_order_emptied();
REVOKE EXECUTE ON FUNCTION keep_item_to_order(uuid, uuid), pieces_to_order(), stage_of_items_planned(),
  lead_of_items_changed(), count_items_to_order(), items_to_order_emptied() FROM PUBLIC;

SET LOCAL app.tenant = '*';
SELECT keep_item_to_order(c.tenant_id, c.item_id)
FROM (SELECT DISTINCT p.tenant_id, p.item_id FROM pieces p WHERE p.order_state = 1) c;

-- Orders that wait for an answer are few among those of a branch, and looked for by it. Both parties stand in the
-- index, because every rule of who sees a row asks for them: counting need not read the rows.
CREATE INDEX orders_waiting ON orders (tenant_id, bc_id, receive_state, code DESC, id DESC)
  INCLUDE (receiver_id, site_id);
