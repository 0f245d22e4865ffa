-- One look through a site's camera does every remote task of the site that waits for who looked: the patrol that did
-- it, where that is of another task (docs/decisions/0690).
ALTER TABLE patrol_tasks ADD COLUMN done_in uuid;
