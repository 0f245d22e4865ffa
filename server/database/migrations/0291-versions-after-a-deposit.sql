-- Of a quotation whose contract is signed nothing more is written: what changes then is a change of the contract.
ALTER TABLE quotations ADD COLUMN signed boolean NOT NULL DEFAULT false;
