-- What triggers keep comes back by itself when a backup is put back and is not emptied with the rest: nothing that it
-- refers to may keep that from being done.
ALTER TABLE alarm_trusts DROP CONSTRAINT alarm_trusts_tenant_id_fkey;
