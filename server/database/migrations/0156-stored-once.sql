-- A clock-in is one row: its own. `event_id` is the device's name for it; rows that have one stand on the site's timeline
-- themselves, older ones have their line in site_events and their report in raw_events (docs/decisions/0156).
ALTER TABLE attendance_events ADD COLUMN event_id text;

-- What was told once: events and nonces by sixteen bytes of SHA-256, kept until `gone_on`.
CREATE TABLE device_seen (
  key uuid PRIMARY KEY,
  gone_on date NOT NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON device_seen TO :system_role;

-- A server of the release before goes on writing device_receipts and device_nonces: what it takes is known here too, and
-- what was taken here it counts as a duplicate. A restore, which is the owner's, brings both tables as they were.
CREATE FUNCTION device_key(said text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(substring(sha256(convert_to(said, 'UTF8')) FOR 16), 'hex')::uuid
$$;
CREATE FUNCTION by_owner(target regclass) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_user = pg_get_userbyid(relowner) FROM pg_class WHERE oid = target
$$;
CREATE FUNCTION receipt_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF by_owner(TG_RELID) THEN RETURN NEW; END IF;
  INSERT INTO device_seen (key, gone_on)
  VALUES (device_key(NEW.device_id || ':' || NEW.event_id), NEW.received_on + 9)
  ON CONFLICT DO NOTHING;
  RETURN CASE WHEN FOUND THEN NEW END;
END $$;
CREATE TRIGGER receipt_seen BEFORE INSERT ON device_receipts
  FOR EACH ROW EXECUTE FUNCTION receipt_seen();
CREATE FUNCTION nonce_seen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF by_owner(TG_RELID) THEN RETURN NEW; END IF;
  INSERT INTO device_seen (key, gone_on)
  VALUES (device_key('nonce:' || NEW.device_id || ':' || NEW.nonce), (NEW.expires_at AT TIME ZONE 'Asia/Shanghai')::date)
  ON CONFLICT DO NOTHING;
  RETURN CASE WHEN FOUND THEN NEW END;
END $$;
CREATE TRIGGER nonce_seen BEFORE INSERT ON device_nonces
  FOR EACH ROW EXECUTE FUNCTION nonce_seen();

-- Servers keep in mind which worker a number means; whoever renumbers or removes one says so.
CREATE FUNCTION workers_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('workers', '');
  RETURN NULL;
END $$;
CREATE TRIGGER workers_changed AFTER UPDATE OF w_id, deleted_at OR DELETE OR TRUNCATE ON workers
  FOR EACH STATEMENT EXECUTE FUNCTION workers_changed();
