-- video.home
SELECT w.status AS "siteStatus", w.lived_in AS "livedIn",
  w.bc_id AS "homeBc" FROM sites w WHERE w.tenant_id = $1 AND w.id = $2;
