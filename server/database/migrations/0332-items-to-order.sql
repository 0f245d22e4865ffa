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
CREATE FUNCTION keep_items_to_order(tenants uuid[], items uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  IF items IS NULL THEN RETURN; END IF;
  DELETE FROM items_to_order k
  USING unnest(tenants, items) AS c(tenant_id, item_id)
  WHERE k.tenant_id = c.tenant_id AND k.item_id = c.item_id
    AND NOT EXISTS (SELECT FROM pieces p
      WHERE p.tenant_id = c.tenant_id AND p.item_id = c.item_id AND p.order_state = 1);
  -- Days of stages and lead times change while goods move; where an item is new here, whoever changes its day is waited
  -- for. What stands here already is changed by them.
  PERFORM 1
  FROM unnest(tenants, items) AS c(tenant_id, item_id)
  JOIN contract_items i ON i.tenant_id = c.tenant_id AND i.id = c.item_id
  JOIN contracts o ON o.tenant_id = i.tenant_id AND o.id = i.contract_id
  JOIN site_stages t ON t.tenant_id = o.tenant_id AND t.site_id = o.site_id AND t.stage = i.stage
  WHERE NOT EXISTS (SELECT FROM items_to_order k WHERE k.tenant_id = c.tenant_id AND k.item_id = c.item_id)
  ORDER BY t.site_id, t.stage
  FOR SHARE OF t;
  INSERT INTO items_to_order AS k
    (tenant_id, item_id, bc_id, site_id, product_id, stage, quantity, held, stage_on, lead_days)
  SELECT n.tenant_id, n.item_id, n.bc_id, n.site_id, i.product_id, i.stage, n.quantity, n.held, t.planned_start,
    lead_days_of(n.tenant_id, i.product_id)
  FROM (
    SELECT p.tenant_id, p.item_id, p.bc_id, p.site_id,
      coalesce(sum(p.quantity) FILTER (WHERE p.place = 'open'), 0) AS quantity,
      coalesce(sum(p.quantity) FILTER (WHERE p.place = 'held'), 0) AS held
    FROM unnest(tenants, items) AS c(tenant_id, item_id)
    JOIN pieces p ON p.tenant_id = c.tenant_id AND p.item_id = c.item_id AND p.order_state = 1
    GROUP BY 1, 2, 3, 4) n
  JOIN contract_items i ON i.tenant_id = n.tenant_id AND i.id = n.item_id
  LEFT JOIN site_stages t ON t.tenant_id = n.tenant_id AND t.site_id = n.site_id AND t.stage = i.stage
  ORDER BY n.tenant_id, n.item_id
  ON CONFLICT (tenant_id, item_id) DO UPDATE SET quantity = excluded.quantity, held = excluded.held;
END $$;

CREATE FUNCTION pieces_to_order() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
DECLARE
  tenants uuid[];
  items uuid[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(c.tenant_id), array_agg(c.item_id) INTO tenants, items
    FROM (SELECT n.tenant_id, n.item_id FROM changed n WHERE n.order_state = 1
      UNION SELECT w.tenant_id, w.item_id FROM was w WHERE w.order_state = 1) c;
  ELSE
    SELECT array_agg(c.tenant_id), array_agg(c.item_id) INTO tenants, items
    FROM (SELECT DISTINCT n.tenant_id, n.item_id FROM changed n WHERE n.order_state = 1) c;
  END IF;
  PERFORM keep_items_to_order(tenants, items);
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

CREATE FUNCTION items_to_order_emptied() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  DELETE FROM items_to_order;
  RETURN NULL;
END $$;
CREATE TRIGGER items_to_order_emptied AFTER TRUNCATE ON pieces
  FOR EACH STATEMENT EXECUTE FUNCTION items_to_order_emptied();
REVOKE EXECUTE ON FUNCTION keep_items_to_order(uuid[], uuid[]), pieces_to_order(), stage_of_items_planned(),
  lead_of_items_changed(), items_to_order_emptied() FROM PUBLIC;

SET LOCAL app.tenant = '*';
SELECT keep_items_to_order(array_agg(c.tenant_id), array_agg(c.item_id))
FROM (SELECT DISTINCT p.tenant_id, p.item_id FROM pieces p WHERE p.order_state = 1) c;
