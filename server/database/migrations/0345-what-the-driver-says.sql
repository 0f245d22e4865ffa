-- What whoever brings goods says of them at the door: a picture of it stands on the track.
ALTER TABLE logistics_nodes ADD COLUMN photo text;
-- The driver said that it goes back, or that it is lost: their page shows it so, instead of a link that is over.
ALTER TABLE dispatches ADD COLUMN returned_by_driver timestamptz;
-- Damage that the driver told of at the handover, for whoever judges the goods.
ALTER TABLE dispatches ADD COLUMN damage text NOT NULL DEFAULT '';
ALTER TABLE dispatches ADD COLUMN damage_photo text;
-- Taken back because somebody else drives: what was done before that may still arrive.
ALTER TABLE links ADD COLUMN relieved boolean NOT NULL DEFAULT false;
