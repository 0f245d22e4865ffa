-- That one feedback repeats another is read where that other may be known of, never in the words of the ledger.
UPDATE feedback_events
SET words = regexp_replace(words, '^重复 FK[0-9]+-[0-9]+：', '重复：')
WHERE act = 'cancel' AND words LIKE '重复 FK%';
