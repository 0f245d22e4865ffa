-- Whose goods a picture proves, asked whenever somebody looks at one.
CREATE INDEX dispatches_photo ON dispatches (tenant_id, photo) WHERE photo IS NOT NULL;
CREATE INDEX dispatches_signature ON dispatches (tenant_id, signature) WHERE signature IS NOT NULL;
CREATE INDEX goods_changes_photos ON goods_changes USING gin (photos);
CREATE INDEX goods_changes_answers ON goods_changes USING gin (answer_photos);
