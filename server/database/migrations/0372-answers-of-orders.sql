-- The time in which the ball was with the merchant, a row for each time that an order lay before them and was answered
-- (docs/decisions/0372): days in which the clerk thought it over are not theirs.
ALTER TABLE orders ADD COLUMN asked_at timestamptz;
CREATE TABLE order_answers (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  order_id    uuid NOT NULL,
  asked_at    timestamptz NOT NULL,
  answered_at timestamptz NOT NULL,
  bc_id       uuid NOT NULL,
  site_id     uuid NOT NULL,
  receiver_id uuid NOT NULL,
  accepted    boolean NOT NULL,
  PRIMARY KEY (tenant_id, order_id, asked_at),
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  CHECK (answered_at >= asked_at));
CREATE INDEX order_answers_at ON order_answers (tenant_id, bc_id, answered_at);
CREATE INDEX order_answers_receiver ON order_answers (tenant_id, receiver_id, asked_at);
SELECT protect('order_answers');

-- The day to which 改到货日期 has moved what was promised earlier.
ALTER TABLE dispatches ADD COLUMN moved_on date;

SET LOCAL app.tenant = '*';
UPDATE orders o SET asked_at = r.at
FROM (SELECT v.tenant_id, v.order_id, max(v.at) AS at FROM order_revisions v GROUP BY 1, 2) r
WHERE r.tenant_id = o.tenant_id AND r.order_id = o.id;
INSERT INTO order_answers (tenant_id, order_id, asked_at, answered_at, bc_id, site_id, receiver_id, accepted)
SELECT o.tenant_id, o.id, coalesce(o.asked_at, o.made_at), o.answered_at, o.bc_id, o.site_id, o.receiver_id,
  o.receive_state = 2
FROM orders o
WHERE o.answered_at >= coalesce(o.asked_at, o.made_at);
