-- How many orders a branch has placed with each receiver: a list without filters need not count its rows.
CREATE TABLE order_counts (
  tenant_id uuid NOT NULL,
  bc_id uuid NOT NULL,
  receiver_id uuid NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (tenant_id, bc_id, receiver_id));
COMMENT ON TABLE order_counts IS 'derived';
SELECT protect('order_counts');

-- The parties of an order never change.
CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($f$
    INSERT INTO order_counts AS k (tenant_id, bc_id, receiver_id, count)
    SELECT tenant_id, bc_id, receiver_id, %s count(*)
    FROM changed
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (tenant_id, bc_id, receiver_id) DO UPDATE SET count = k.count + excluded.count
  $f$, CASE TG_OP WHEN 'DELETE' THEN '-' ELSE '' END);
  RETURN NULL;
END $$;
CREATE TRIGGER orders_counted AFTER INSERT ON orders
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
CREATE TRIGGER orders_uncounted AFTER DELETE ON orders
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
CREATE FUNCTION empty_order_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE order_counts;
  RETURN NULL;
END $$;
CREATE TRIGGER orders_emptied AFTER TRUNCATE ON orders
  FOR EACH STATEMENT EXECUTE FUNCTION empty_order_counts();

SET LOCAL app.tenant = '*';
INSERT INTO order_counts
SELECT o.tenant_id, o.bc_id, o.receiver_id, count(*)
FROM orders o
GROUP BY 1, 2, 3;

-- Orders with a piece that is asked, to ship or under way: what is late is found by its day, however many are accepted.
CREATE INDEX orders_late ON orders (tenant_id, expected_on) WHERE order_state IN (2, 3, 4, 5, 7);
