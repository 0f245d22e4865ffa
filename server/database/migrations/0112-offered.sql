-- What the program has offered a group: its pages and their paths, operations and their pages, roles and what they were
-- given. What a release brings new is what is not here; what an administrator took away stays away, because it is here.
CREATE TABLE offered (
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  kind      text NOT NULL CHECK (kind IN ('group', 'page', 'power', 'role', 'rolePage', 'rolePower', 'release')),
  key       text NOT NULL,
  detail    text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, kind, key));
SELECT protect('offered');
-- The start of a server writes it, no request does.
REVOKE INSERT, UPDATE, DELETE ON offered FROM :app_role;

-- The groups that exist were made by the first release, which wrote nothing down: this is what it offered each.
SET LOCAL app.tenant = '*';
INSERT INTO offered (tenant_id, kind, key, detail)
SELECT t.id, o.kind, split_part(o.word, '=', 1), split_part(o.word, '=', 2)
FROM tenants t
CROSS JOIN (
  SELECT x.kind, w AS word
  FROM (VALUES
    ('group', '
      Site=/Site worker=/worker image=/image device=/device dataStatistics=/dataStatistics data=/data
      system=/system'),
    ('page', '
      HomeMaster=/HomeMaster SiteList=/Site/SiteList SiteMap=/Site/SiteMap SiteInfo=/SiteInfo
      NoWork=/Site/NoWork WorkerList=/worker/WorkerList WorkerInfo=/WorkerInfo WorkerAttend=/worker/WorkerAttend
      AlarmEvent=/image/AlarmEvent DeviceStatistics=/device/DeviceStatistics DeviceList=/device/DeviceList
      DeviceStock=/device/DeviceStock DeviceBindLog=/device/DeviceBindLog
      AttendStatistics=/dataStatistics/AttendStatistics DailySheet=/dataStatistics/DailySheet
      DailyMonitor=/data/DailyMonitor CompanyList=/system/CompanyList CompanyStore=/system/CompanyStore
      UserList=/system/UserList RoleList=/system/RoleList PageList=/system/PageList
      DeviceAdmin=/system/DeviceAdmin UserLog=/system/UserLog SetSelf=/system/SetSelf'),
    ('power', '
      site:add=SiteList site:edit=SiteList site:state=SiteList site:bind=SiteList site:import=SiteList
      site:export=SiteList nowork:reason=NoWork nowork:tell=NoWork nowork:export=NoWork worker:add=WorkerList
      worker:edit=WorkerList worker:send=WorkerList worker:face=WorkerList worker:phone=WorkerList
      worker:unmask=WorkerList worker:import=WorkerList worker:export=WorkerList attend:makeup=WorkerAttend
      attend:export=WorkerAttend alarm:assign=AlarmEvent alarm:correct=AlarmEvent alarm:review=AlarmEvent
      alarm:cancel=AlarmEvent alarm:export=AlarmEvent device:bind=DeviceList device:edit=DeviceList
      device:delete=DeviceList device:export=DeviceList device:live=DeviceList device:stock=DeviceStock
      device:distribute=DeviceStock device:secret=DeviceAdmin company:add=CompanyList company:edit=CompanyList
      company:delete=CompanyList store:add=CompanyStore store:edit=CompanyStore store:delete=CompanyStore
      user:add=UserList user:edit=UserList user:state=UserList user:password=UserList user:session=UserList
      user:delete=UserList user:import=UserList user:export=UserList role:add=RoleList role:edit=RoleList
      role:delete=RoleList menu:edit=PageList log:verify=UserLog log:export=UserLog settings:edit=SetSelf
      statistics:export=AttendStatistics daily:export=DailySheet'),
    ('role', '
      admin hq_ops branch_gm pm steward inspector device_keeper order_clerk supplier acceptor quoter examiner
      sales service')) AS x (kind, words)
  CROSS JOIN LATERAL regexp_split_to_table(trim(x.words, E' \n'), '\s+') AS w
) o;

INSERT INTO offered (tenant_id, kind, key)
SELECT t.id, o.kind, o.role || ' ' || o.word
FROM tenants t
CROSS JOIN (
  SELECT x.kind, x.role, w AS word
  FROM (VALUES
    ('rolePage', 'admin', '
      HomeMaster SiteList SiteMap SiteInfo WorkerList WorkerInfo WorkerAttend AlarmEvent DeviceList NoWork
      DeviceStatistics AttendStatistics DailySheet DailyMonitor DeviceStock DeviceBindLog CompanyList
      CompanyStore UserList RoleList PageList DeviceAdmin UserLog SetSelf'),
    ('rolePage', 'hq_ops', '
      HomeMaster SiteList SiteMap SiteInfo WorkerList WorkerInfo WorkerAttend AlarmEvent DeviceList NoWork
      DeviceStatistics AttendStatistics DailySheet DailyMonitor DeviceStock DeviceBindLog CompanyList UserLog'),
    ('rolePage', 'branch_gm', '
      HomeMaster SiteList SiteMap SiteInfo WorkerList WorkerInfo WorkerAttend AlarmEvent DeviceList NoWork
      DeviceStatistics AttendStatistics DailySheet DailyMonitor DeviceStock DeviceBindLog CompanyStore UserList
      UserLog SetSelf'),
    ('rolePage', 'pm', '
      HomeMaster SiteList SiteMap SiteInfo WorkerList WorkerInfo WorkerAttend AlarmEvent DeviceList NoWork
      DeviceStatistics AttendStatistics DailySheet DailyMonitor'),
    ('rolePage', 'steward', '
      HomeMaster SiteList SiteMap SiteInfo WorkerList WorkerInfo WorkerAttend AlarmEvent NoWork DailyMonitor'),
    ('rolePage', 'inspector', '
      HomeMaster SiteList SiteMap SiteInfo WorkerList WorkerInfo WorkerAttend AlarmEvent DeviceList NoWork
      DeviceStatistics AttendStatistics DailySheet DailyMonitor'),
    ('rolePage', 'device_keeper', '
      HomeMaster SiteList SiteMap SiteInfo DeviceList DeviceStatistics DeviceStock DeviceBindLog DeviceAdmin'),
    ('rolePage', 'order_clerk', '
      HomeMaster SiteList SiteMap SiteInfo'),
    ('rolePage', 'supplier', '
      HomeMaster'),
    ('rolePage', 'acceptor', '
      HomeMaster SiteList SiteMap SiteInfo'),
    ('rolePage', 'quoter', '
      HomeMaster SiteList SiteMap SiteInfo'),
    ('rolePage', 'examiner', '
      HomeMaster SiteList SiteMap SiteInfo'),
    ('rolePage', 'sales', '
      HomeMaster SiteList SiteMap SiteInfo'),
    ('rolePage', 'service', '
      HomeMaster SiteList SiteMap SiteInfo AlarmEvent'),
    ('rolePower', 'admin', '
      *:*:*'),
    ('rolePower', 'hq_ops', '
      site:export worker:export worker:unmask attend:export alarm:export device:export nowork:tell nowork:export
      statistics:export daily:export'),
    ('rolePower', 'branch_gm', '
      store:add store:edit store:delete user:add user:import user:edit user:state user:password user:session
      user:export settings:edit log:export site:bind alarm:correct site:add site:edit site:state site:import
      site:export worker:add worker:edit worker:import worker:send worker:face worker:phone worker:unmask
      worker:export attend:makeup attend:export alarm:assign alarm:review alarm:cancel alarm:export
      nowork:reason nowork:tell nowork:export statistics:export daily:export device:export device:live'),
    ('rolePower', 'pm', '
      site:state site:export site:bind worker:send worker:face worker:unmask attend:makeup attend:export
      alarm:assign alarm:review alarm:cancel alarm:export nowork:reason nowork:tell nowork:export
      statistics:export daily:export alarm:correct device:live'),
    ('rolePower', 'steward', '
      worker:unmask alarm:correct alarm:review nowork:reason'),
    ('rolePower', 'inspector', '
      alarm:assign alarm:review alarm:cancel alarm:export device:live'),
    ('rolePower', 'device_keeper', '
      site:bind device:bind device:stock device:distribute device:secret device:edit device:delete device:export
      device:live')) AS x (kind, role, words)
  CROSS JOIN LATERAL regexp_split_to_table(trim(x.words, E' \n'), '\s+') AS w
) o;
