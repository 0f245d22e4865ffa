-- The board of deliveries looks at the last thirty days and at what is not accepted, however much was delivered before.
CREATE INDEX orders_answered ON orders (tenant_id, answered_at) WHERE answered_at IS NOT NULL;
CREATE INDEX dispatches_shipped ON dispatches (tenant_id, shipped_at) WHERE shipped_at IS NOT NULL;
CREATE INDEX dispatches_delivered ON dispatches (tenant_id, delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX dispatches_checked ON dispatches (tenant_id, checked_at) WHERE checked_at IS NOT NULL;
CREATE INDEX judgements_at ON judgements (tenant_id, at);
CREATE INDEX pieces_unfinished ON pieces (tenant_id, site_id, order_state) WHERE order_state <> 6;
