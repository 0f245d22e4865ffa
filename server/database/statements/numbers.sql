-- numbers.branch
SELECT b.code FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = $2;

-- numbers.next
INSERT INTO document_numbers AS n (tenant_id, kind, of_id, year, last)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, kind, of_id, year) DO UPDATE
SET last = n.last + $5
RETURNING n.last;
