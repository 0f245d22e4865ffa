-- A device that goes for good is scrapped, and its history says so.
SET LOCAL app.tenant = '*';
UPDATE device_bindings SET action = '报废' WHERE action = '删除';
