-- A receiver may serve several branches: whoever orders of it must learn whether it still takes orders and what it is
-- called, though its branch is not theirs. Of a company or store of the tenant that takes orders nothing but the name.
CREATE FUNCTION receiver_name(tenant uuid, receiver uuid) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  RETURN coalesce(
    (SELECT s.name FROM stores s
      WHERE s.tenant_id = tenant AND s.id = receiver AND s.receives_orders AND s.status = 1),
    (SELECT c.bc_name FROM companies c
      WHERE c.tenant_id = tenant AND c.bc_id = receiver AND c.receives_orders AND c.status = 1));
END $$;
SELECT share_rights();
