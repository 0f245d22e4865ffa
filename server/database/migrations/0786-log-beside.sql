-- What a line of the log says of people stands beside it: `{digest: [salt, value]}`. In `before` and `after`, which the
-- chain holds, stands `{"digest": …}` alone (docs/decisions/0657). Lines of before have nothing beside them.
ALTER TABLE user_logs ADD COLUMN beside jsonb;

-- One value of a line as people read it; what was asked to be forgotten is said to be gone.
CREATE FUNCTION told_log(value jsonb, beside jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN jsonb_typeof(value) = 'object' AND value ? 'digest'
    THEN coalesce(beside -> (value ->> 'digest') ->> 1, '（已删除）')
    ELSE value #>> '{}' END
$$;
