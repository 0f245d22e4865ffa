-- Which folder holds the files of this database: it bears the same mark (docs/decisions/0431).
ALTER TABLE installation ADD COLUMN files_mark text;
GRANT UPDATE (files_mark) ON installation TO :system_role;
