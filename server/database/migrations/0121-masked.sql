-- One rule hides a telephone number, in lists, details, exports and the log: a mobile keeps three digits and four, any other
-- number its last two. contract/kit/masked.ts says the same where there is no statement.
CREATE FUNCTION masked_phone(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN phone = '' OR phone ~ '^([0-9]{3})?[*]{4}[0-9]{0,4}$' THEN phone
    WHEN phone ~ '^1[0-9]{10}$' THEN left(phone, 3) || '****' || right(phone, 4)
    WHEN length(phone) < 7 THEN '****'
    ELSE '****' || right(phone, 2) END
$$;

-- A document as the log keeps it: whatever stands under the name of a telephone number is hidden, at any depth.
CREATE FUNCTION without_phones(doc jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE jsonb_typeof(doc)
    WHEN 'object' THEN (
      SELECT coalesce(jsonb_object_agg(key, CASE
        WHEN key IN ('phone', 'w_contact', 'ownerPhone') AND jsonb_typeof(value) = 'string'
          THEN to_jsonb(masked_phone(value #>> '{}'))
        ELSE without_phones(value) END), '{}')
      FROM jsonb_each(doc))
    WHEN 'array' THEN (
      SELECT coalesce(jsonb_agg(without_phones(value) ORDER BY place), '[]')
      FROM jsonb_array_elements(doc) WITH ORDINALITY AS e(value, place))
    ELSE doc END;
END $$;
