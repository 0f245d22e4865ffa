-- When a home is finished its contract is settled: a final bill with both signatures, and warranty money that the
-- customer holds back until its day as the last instalment (docs/decisions/0351).
SET LOCAL app.tenant = '*';
ALTER TABLE contracts
  ADD COLUMN finished_on    date,
  ADD COLUMN warranty       numeric(40, 2) NOT NULL DEFAULT 0 CHECK (warranty >= 0),
  ADD COLUMN warranty_on    date,
  ADD COLUMN billed_at      timestamptz,
  ADD COLUMN billed_by      text NOT NULL DEFAULT '',
  ADD COLUMN bill_remark    text NOT NULL DEFAULT '',
  ADD COLUMN bill_signer    text NOT NULL DEFAULT '',
  ADD COLUMN bill_ours      text NOT NULL DEFAULT '',
  ADD COLUMN bill_signed_on date,
  DROP CONSTRAINT contracts_state_check,
  ADD CONSTRAINT contracts_state_check
    CHECK (state IN ('live', 'finishing', 'settled', 'void', 'ending', 'ended')),
  ADD CHECK ((warranty = 0) = (warranty_on IS NULL)),
  ADD CHECK (bill_signed_on IS NULL OR billed_at IS NOT NULL);
DROP INDEX contracts_live, contracts_site;
CREATE UNIQUE INDEX contracts_live ON contracts (tenant_id, quotation_id)
  WHERE state IN ('live', 'finishing', 'settled', 'ending');
CREATE UNIQUE INDEX contracts_site ON contracts (tenant_id, site_id)
  WHERE state IN ('live', 'finishing', 'settled', 'ending');
DO $$
DECLARE named text;
BEGIN
  SELECT conname INTO named FROM pg_constraint
  WHERE conrelid = 'contract_instalments'::regclass AND contype = 'c'
    AND pg_get_constraintdef(oid) LIKE '%percent%';
  EXECUTE format('ALTER TABLE contract_instalments DROP CONSTRAINT %I', named);
END $$;
ALTER TABLE contract_instalments
  ADD COLUMN warranty boolean NOT NULL DEFAULT false,
  ADD CHECK ((percent IS NULL) = (change_id IS NOT NULL OR warranty)),
  ADD CHECK (NOT warranty OR due_on IS NOT NULL);
ALTER TABLE contract_files
  DROP CONSTRAINT contract_files_kind_check,
  ADD CONSTRAINT contract_files_kind_check CHECK (kind IN ('signed', 'kept', 'final', 'other'));
-- Homes that were finished before: their contracts wait for the bill.
UPDATE contracts c
SET state = 'finishing', finished_on = coalesce(w.actual_finish, c.signed_on), version = c.version + 1
FROM sites w
WHERE w.tenant_id = c.tenant_id AND w.id = c.site_id AND w.status = 4 AND c.state = 'live';

-- Whoever finishes a site may see no contracts: its state moves on all the same; who may read the sums is told them.
CREATE FUNCTION contract_to_settle(tenant uuid, site uuid) RETURNS json
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  RETURN (SELECT json_build_object('id', c.id, 'code', c.code, 'total', c.total::text, 'paid', c.paid::text)
    FROM contracts c
    WHERE c.tenant_id = tenant AND c.site_id = site AND c.state = 'live' AND NOT c.void_asked);
END $$;
CREATE FUNCTION finish_contract(tenant uuid, site uuid, today date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  UPDATE contracts c SET state = 'finishing', finished_on = today, version = c.version + 1
  WHERE c.tenant_id = tenant AND c.site_id = site AND c.state = 'live' AND NOT c.void_asked;
END $$;
SELECT share_rights();
