-- export.declare
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT json_build_array(coalesce((o.sn)::text, ''), coalesce((o.cause)::text, ''),
  coalesce((round((extract(epoch FROM to_timestamp(o."from")) + 28800)::numeric / 86400 + 25569, 6))::text, ''),
    coalesce((round((extract(epoch FROM to_timestamp(o."to")) + 28800)::numeric / 86400 + 25569, 6))::text, ''),
      coalesce((o.minutes)::text, ''), coalesce((o."end")::text, '')) AS cells
FROM json_to_recordset($1::json) AS o(place int, sn text, cause text, "from" float8, "to" float8,
 minutes int, "end" text)
WHERE true ORDER BY o.place;

-- export.fetch
FETCH 2000 FROM export_rows;
