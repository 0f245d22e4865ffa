-- why: a commit that notifies waits for every other such commit of the cluster. The server tells others after its commit,
-- at most every ten milliseconds (docs/decisions/0100); a server of the version before looks every two seconds by itself.
DROP TRIGGER live_events_notify ON live_events;
DROP FUNCTION live_notify();
