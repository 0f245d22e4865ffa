-- What waits of the goods of a site at the end of a day, by whoever receives them: the cards of the home page add these
-- up for each of the two parties. A day on which nobody counted has no row; a site of which nothing waits has one of 0.
CREATE TABLE delivery_days (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  day         date NOT NULL,
  bc_id       uuid NOT NULL,
  site_id     uuid NOT NULL,
  receiver_id uuid NOT NULL,
  -- Orders that nobody has answered, orders with something to ship, sheets with something to judge, changes at work.
  receiving   int NOT NULL,
  to_ship     int NOT NULL,
  to_accept   int NOT NULL,
  changes     int NOT NULL,
  PRIMARY KEY (tenant_id, day, bc_id, site_id, receiver_id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites);
SELECT protect('delivery_days');

-- Few orders are on their way and few sheets are open, however many there were.
CREATE INDEX orders_moving ON orders (tenant_id, bc_id) WHERE order_state IN (2, 3, 4, 5, 7);
CREATE INDEX dispatches_unjudged ON dispatches (tenant_id, bc_id) WHERE check_state IN (0, 1);
