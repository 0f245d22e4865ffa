-- A command reads what belongs to its record by these, and read whole tables where no index began with them: a
-- judgement went over every piece and every leg of the group.
CREATE INDEX logistics_order ON logistics (tenant_id, order_id);
CREATE INDEX logistics_parent ON logistics (tenant_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX dispatches_parent ON dispatches (tenant_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX dispatches_trip ON dispatches (tenant_id, trip_id) WHERE trip_id IS NOT NULL;
CREATE INDEX dispatches_change ON dispatches (tenant_id, change_id) WHERE change_id IS NOT NULL;
CREATE INDEX pieces_line ON pieces (tenant_id, line_id) WHERE line_id IS NOT NULL;
CREATE INDEX pieces_change ON pieces (tenant_id, change_id) WHERE change_id IS NOT NULL;
CREATE INDEX owed_lines_order ON owed_lines (tenant_id, order_id);
CREATE INDEX orders_contract ON orders (tenant_id, contract_id);
CREATE INDEX orders_parent ON orders (tenant_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX goods_changes_note ON goods_changes (tenant_id, note_id);
