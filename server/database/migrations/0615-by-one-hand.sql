-- Who of the company let in a device of a home; and by whose hand alone it came in, who made its link as well, until
-- somebody else has vouched for it (docs/decisions/0581).
ALTER TABLE home_devices
  ADD COLUMN allowed_by uuid,
  ADD COLUMN only_hand uuid,
  ADD FOREIGN KEY (tenant_id, allowed_by) REFERENCES users,
  ADD FOREIGN KEY (tenant_id, only_hand) REFERENCES users;

SET LOCAL app.tenant = '*';
-- Those of before name a person by words alone: the maker of the link, where it is the same name.
UPDATE home_devices d
SET allowed_by = l.made_by, only_hand = l.made_by
FROM links l
WHERE l.tenant_id = d.tenant_id AND l.id = d.link_id AND d.state = 'bound' AND d.bound_by = l.made_name;
