-- What is sent to a finished home within its warranty says so on its note.
ALTER TABLE dispatches ADD COLUMN after_sale boolean NOT NULL DEFAULT false;
SET LOCAL app.tenant = '*';
UPDATE dispatches d SET after_sale = true
FROM sites w
WHERE w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.status = 4 AND d.state = 0;

-- Goods that nobody ordered before their home ended are ordered no more.
UPDATE pieces p SET place = 'dropped', order_state = NULL
FROM sites w
WHERE w.tenant_id = p.tenant_id AND w.id = p.site_id AND w.status IN (3, 4) AND p.place = 'open';
UPDATE piece_counts c SET n1 = x.n
FROM (
  SELECT k.tenant_id, k.site_id, (SELECT count(*)::int FROM pieces p
    WHERE p.tenant_id = k.tenant_id AND p.site_id = k.site_id AND p.order_state = 1) AS n
  FROM piece_counts k) x
WHERE c.tenant_id = x.tenant_id AND c.site_id = x.site_id AND c.n1 <> x.n;
