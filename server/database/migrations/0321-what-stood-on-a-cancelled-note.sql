-- Goods leave a note that is cancelled; what stood on it stays readable: [{"line_id": …, "quantity": …}, …].
ALTER TABLE dispatches ADD COLUMN stood jsonb NOT NULL DEFAULT '[]';
