-- A store that is closed on the days off of its branch's calendar has no wall to light.
ALTER TABLE arrangements
  ADD COLUMN holidays text NOT NULL DEFAULT 'lit' CHECK (holidays IN ('lit', 'dark'));
