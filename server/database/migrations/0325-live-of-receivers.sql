-- Whoever receives an order hears of it and of its papers, wherever the site is: they are told no site.
ALTER TABLE live_events ADD COLUMN receiver_id uuid;
