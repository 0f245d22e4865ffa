-- The day on which money went back: that of the examiner's word. Asked for by the day and by the way of payment.
SET LOCAL app.tenant = '*';
ALTER TABLE contract_refunds ADD COLUMN paid_on date;
UPDATE contract_refunds f
SET paid_on = (coalesce((SELECT max(e.judged_at) FROM examine_requests e
    WHERE e.tenant_id = f.tenant_id AND e.kind = 'refund' AND e.object_id = f.id AND e.state = 1), f.at)
  AT TIME ZONE 'Asia/Shanghai')::date
WHERE f.status = 2;
ALTER TABLE contract_refunds ADD CHECK ((status = 2) = (paid_on IS NOT NULL));
CREATE INDEX contract_receipts_day ON contract_receipts (tenant_id, paid_on);
CREATE INDEX contract_refunds_day ON contract_refunds (tenant_id, paid_on);
