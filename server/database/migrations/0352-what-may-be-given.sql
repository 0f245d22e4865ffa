-- What a role may take off a quotation without the right to give discounts: rounding in yuan; offers and prices under
-- the list together in percent of what it comes to by the list. Beside a version, what of it was given by who has it.
SET LOCAL app.tenant = '*';
ALTER TABLE roles
  ADD COLUMN round_off    numeric(40, 2) NOT NULL DEFAULT 0 CHECK (round_off >= 0),
  ADD COLUMN give_percent numeric(5, 2) NOT NULL DEFAULT 0 CHECK (give_percent BETWEEN 0 AND 100);
UPDATE roles r SET round_off = 100, give_percent = 2 WHERE r.code = 'quoter';
ALTER TABLE quotation_versions
  ADD COLUMN below             numeric(40, 2) NOT NULL DEFAULT 0,
  ADD COLUMN below_lines       int NOT NULL DEFAULT 0,
  ADD COLUMN allowed_rounding  numeric(40, 2) NOT NULL DEFAULT 0,
  ADD COLUMN allowed_given     numeric(40, 2) NOT NULL DEFAULT 0;
ALTER TABLE contract_change_lines ADD COLUMN list_price numeric(40, 6);
UPDATE quotation_versions v
SET below = b.below, below_lines = b.lines
FROM (SELECT l.tenant_id, l.version_id, count(*)::int AS lines,
    sum(round(l.priced * l.list_price, 2) - round(l.priced * l.price, 2)) AS below
  FROM quotation_lines l
  WHERE l.counts AND l.attribute IN (2, 3) AND l.price < l.list_price
  GROUP BY l.tenant_id, l.version_id) b
WHERE b.tenant_id = v.tenant_id AND b.version_id = v.id;
-- What was given before was given by the rules of then.
UPDATE quotation_versions v
SET allowed_rounding = coalesce((SELECT sum(d.amount) FROM quotation_discounts d
    WHERE d.tenant_id = v.tenant_id AND d.version_id = v.id AND d.kind = 'rounding'), 0),
  allowed_given = v.below + coalesce((SELECT sum(d.amount) FROM quotation_discounts d
    WHERE d.tenant_id = v.tenant_id AND d.version_id = v.id AND d.kind = 'offer'), 0);
