-- How many customers stand where and how: a list that asks for nothing finer need not count its rows. Each write adds
-- lines of its own and waits for nobody; the night adds them up (docs/decisions/0691).
CREATE TABLE customer_counts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  bc_id uuid NOT NULL,
  store_id uuid,
  held text NOT NULL,
  step smallint NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (tenant_id, id));
COMMENT ON TABLE customer_counts IS 'derived';
SELECT protect('customer_counts');
CREATE INDEX customer_counts_place ON customer_counts (tenant_id, bc_id, store_id);

CREATE FUNCTION count_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
    SELECT n.tenant_id, n.bc_id, n.store_id, n.held, n.step, count(*)
    FROM added n
    GROUP BY 1, 2, 3, 4, 5;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
    SELECT o.tenant_id, o.bc_id, o.store_id, o.held, o.step, -count(*)
    FROM removed o
    GROUP BY 1, 2, 3, 4, 5;
  ELSE
    INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
    SELECT x.tenant_id, x.bc_id, x.store_id, x.held, x.step, sum(x.n)
    FROM (
      SELECT n.tenant_id, n.bc_id, n.store_id, n.held, n.step, 1 AS n FROM added n
      UNION ALL
      SELECT o.tenant_id, o.bc_id, o.store_id, o.held, o.step, -1 FROM removed o) x
    GROUP BY 1, 2, 3, 4, 5
    HAVING sum(x.n) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER customers_counted AFTER INSERT ON customers
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_customers();
CREATE TRIGGER customers_recounted AFTER UPDATE ON customers
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_customers();
CREATE TRIGGER customers_uncounted AFTER DELETE ON customers
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_customers();
CREATE FUNCTION empty_customer_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE customer_counts;
  RETURN NULL;
END $$;
CREATE TRIGGER customers_emptied AFTER TRUNCATE ON customers
  FOR EACH STATEMENT EXECUTE FUNCTION empty_customer_counts();

SET LOCAL app.tenant = '*';
INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
SELECT k.tenant_id, k.bc_id, k.store_id, k.held, k.step, count(*)
FROM customers k
GROUP BY 1, 2, 3, 4, 5;
