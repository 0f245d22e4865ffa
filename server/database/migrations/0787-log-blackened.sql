-- Lines out of which something of a person was taken at somebody's request. `was` is the line's hash, which the chain
-- goes on from; `stands` the digest of what the line holds now, and the signature is made with the installation's key.
CREATE TABLE log_blackened (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  seq       bigint NOT NULL,
  previous  text NOT NULL,
  was       text NOT NULL,
  stands    text NOT NULL,
  signature text NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, seq));
SELECT protect('log_blackened');
-- Written by the function below alone.
REVOKE INSERT, UPDATE, DELETE ON log_blackened FROM :app_role, :system_role;

-- Whether one text or document is the other with words taken out and nothing put in.
CREATE FUNCTION only_taken(was text, stands text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT was = stands OR was LIKE replace(regexp_replace(stands, '([\\%_])', '\\\1', 'g'), '（已删除）', '%')
$$;
CREATE FUNCTION only_taken(was jsonb, stands jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF was = stands THEN
    RETURN true;
  ELSIF jsonb_typeof(was) IS DISTINCT FROM jsonb_typeof(stands) THEN
    RETURN false;
  END IF;
  RETURN CASE jsonb_typeof(was)
    WHEN 'string' THEN only_taken(was #>> '{}', stands #>> '{}')
    WHEN 'object' THEN
      (SELECT count(*) FROM jsonb_object_keys(was)) = (SELECT count(*) FROM jsonb_object_keys(stands))
      AND (SELECT bool_and(was ? n.key AND only_taken(was -> n.key, n.value)) FROM jsonb_each(stands) n)
    WHEN 'array' THEN
      jsonb_array_length(was) = jsonb_array_length(stands)
      AND (SELECT bool_and(only_taken(was -> (n.place - 1)::int, n.value))
        FROM jsonb_array_elements(stands) WITH ORDINALITY AS n(value, place))
    ELSE false END;
END $$;

-- Takes words out of one sealed line of the caller's own group and keeps the signed entry of it. The app's logins may
-- write these columns in no other way, and this one writes nothing into them but that something is gone.
CREATE FUNCTION blacken_log(
  tenant uuid, line bigint, who text, thing text, before_now jsonb, after_now jsonb, beside_now jsonb, previous text,
  stands text, signature text, moment timestamptz
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was record;
BEGIN
  IF tenant::text IS DISTINCT FROM current_setting('app.tenant', true) THEN
    RAISE EXCEPTION 'not the caller''s own log' USING ERRCODE = '42501';
  END IF;
  SELECT l.hash, l.user_name, l.object_id, l.before, l.after, l.beside INTO was
  FROM user_logs l WHERE l.tenant_id = tenant AND l.seq = line FOR UPDATE;
  IF NOT FOUND
    OR NOT only_taken(was.user_name, who) OR NOT only_taken(was.object_id, thing)
    OR (nullif(was.before, 'null') IS NULL) <> (before_now IS NULL)
    OR (nullif(was.after, 'null') IS NULL) <> (after_now IS NULL)
    OR NOT coalesce(only_taken(was.before, before_now), true) OR NOT coalesce(only_taken(was.after, after_now), true)
    OR (was.beside IS NULL) <> (beside_now IS NULL)
    OR EXISTS (SELECT FROM jsonb_each(beside_now) n WHERE was.beside -> n.key IS DISTINCT FROM n.value)
  THEN
    RAISE EXCEPTION 'more than words taken out of line % of the log', line USING ERRCODE = '42501';
  END IF;
  UPDATE user_logs l
  SET user_name = who, object_id = thing, beside = beside_now,
    before = coalesce(before_now, l.before), after = coalesce(after_now, l.after)
  WHERE l.tenant_id = tenant AND l.seq = line;
  INSERT INTO log_blackened AS b (tenant_id, seq, previous, was, stands, signature, at)
  VALUES (tenant, line, previous, was.hash, stands, signature, moment)
  ON CONFLICT (tenant_id, seq) DO UPDATE
  SET previous = excluded.previous, was = excluded.was, stands = excluded.stands, signature = excluded.signature,
    at = excluded.at;
  RETURN was.hash;
END $$;
REVOKE EXECUTE ON FUNCTION
  blacken_log(uuid, bigint, text, text, jsonb, jsonb, jsonb, text, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  blacken_log(uuid, bigint, text, text, jsonb, jsonb, jsonb, text, text, text, timestamptz) TO :app_role;
