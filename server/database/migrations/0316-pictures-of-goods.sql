-- The order that a picture of goods belongs to: whoever may read its papers sees it, on either side.
ALTER TABLE files ADD COLUMN order_id uuid;
ALTER TABLE files ADD FOREIGN KEY (tenant_id, order_id) REFERENCES orders;
CREATE INDEX files_order ON files (tenant_id, order_id) WHERE order_id IS NOT NULL;

-- What cameras recorded around the handover of a note, held for whoever judges what is wrong with it.
CREATE TABLE note_holds (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  note_id   uuid NOT NULL,
  hold_id   uuid NOT NULL,
  PRIMARY KEY (tenant_id, note_id, hold_id),
  FOREIGN KEY (tenant_id, note_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, hold_id) REFERENCES recording_holds);
CREATE INDEX note_holds_hold ON note_holds (tenant_id, hold_id);
SELECT protect('note_holds');

ALTER TABLE goods_changes DROP COLUMN clip_key, DROP COLUMN clip_hold;
