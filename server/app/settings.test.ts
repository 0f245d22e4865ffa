import { mapsApi } from '@zhuguan/contract/features/maps/maps.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../testing/start.ts'
import { readSettings } from './settings.ts'

let server: TestServer
beforeAll(async () => {
  const { map, video } = readSettings({
    MAP_TILES: 'https://t{1-3}.example.com/{z}/{x}/{y}.png?key={key}',
    MAP_KEY: 'a b',
    MAP_CREDIT: '© 示例',
    VIDEO_GATEWAY: 'http://gateway.local:8889/{sn}/whep',
  })
  server = await startTestServer({ map, video })
})
afterAll(() => server.stop())

test('a setting nobody knows, and one that cannot work, are refused in a sentence', () => {
  expect(readSettings({}).map).toEqual({ tiles: null, credit: '' })
  expect(() => readSettings({ MAP_TILE: 'x' })).toThrow('不认识的设置：MAP_TILE')
  expect(() => readSettings({ VIDEO_GATE: 'x' })).toThrow('不认识的设置：VIDEO_GATE')
  expect(() => readSettings({ MAP_TILES: 'https://t.example.com/{z}/{x}.png' })).toThrow(
    'MAP_TILES 应为带 {z}、{x}、{y} 的网址',
  )
  expect(() => readSettings({ MAP_TILES: 'javascript:alert({z}{x}{y})' })).toThrow('MAP_TILES 应为')
  expect(() => readSettings({ MAP_TILES: 'https://t.example.com/{z}/{x}/{y}?k={key}' })).toThrow(
    '请用 MAP_KEY 给出密钥',
  )
  expect(readSettings({ RECORDINGS_FROM: 'file:///nvr/{sn}/{from}-{to}.mp4' }).recordings).toEqual({
    template: 'file:///nvr/{sn}/{from}-{to}.mp4',
    s3: null,
  })
  for (const wrong of [
    'file:///nvr/{sn}.mp4',
    'http://nvr/{sn}/{from}-{to}.mp4',
    '/nvr/{sn}/{from}-{to}.mp4',
  ])
    expect(() => readSettings({ RECORDINGS_FROM: wrong })).toThrow(
      'RECORDINGS_FROM 应为文件夹或对象存储里录像的地址',
    )
  expect(() => readSettings({ RECORDINGS_FROM: 's3://nvr/{sn}/{from}-{to}.mp4' })).toThrow('S3_ENDPOINT')
  expect(() => readSettings({ VIDEO_GATEWAY: 'http://gateway.local/whep' })).toThrow(
    'VIDEO_GATEWAY 应为带 {sn} 的网址',
  )
  expect(() => readSettings({ VIDEO_GATEWAY: 'rtsp://gateway.local/{sn}/whep' })).toThrow(
    'VIDEO_GATEWAY 应为带 {sn} 的网址',
  )
  expect(() => readSettings({ VIDEO_GATEWAY: 'http://gateway.local/{sn}/stream' })).toThrow(
    '应以 /whep、.m3u8 或 .flv 结尾',
  )
  const kindOf = (VIDEO_GATEWAY: string, VIDEO_KIND?: string) =>
    readSettings({ VIDEO_GATEWAY, VIDEO_KIND }).video?.kind
  expect(kindOf('http://gw:1984/api/webrtc?src={sn}')).toBe('whep')
  expect(kindOf('http://gw:8080/index/api/whep?app=live&stream={sn}')).toBe('whep')
  expect(kindOf('http://gw:8888/{sn}/index.m3u8')).toBe('hls')
  expect(kindOf('file:///video/{sn}/index.m3u8')).toBe('hls')
  expect(kindOf('http://gw:8080/live/{sn}.live.flv')).toBe('flv')
  expect(kindOf('http://gw/play/{sn}', 'flv')).toBe('flv')
  expect(() => kindOf('http://gw/{sn}/whep', 'rtsp')).toThrow('VIDEO_KIND 应为 whep、hls、flv 之一')
  expect(() => kindOf('file:///video/{sn}.flv')).toThrow('只能是 HLS')
  expect(() => kindOf('s3://video/{sn}/index.m3u8')).toThrow('S3_ENDPOINT')
  expect(() => readSettings({ S3_ENDPOINT: 'https://s3.example.com' })).toThrow('S3_ACCESS_KEY')
  const s3 = { S3_ENDPOINT: 'https://s3.example.com', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' }
  expect(readSettings({ ...s3, VIDEO_GATEWAY: 's3://video/{sn}/index.m3u8' }).video).toEqual({
    template: 's3://video/{sn}/index.m3u8',
    kind: 'hls',
    s3: { endpoint: 'https://s3.example.com', accessKey: 'a', secretKey: 'b', region: 'us-east-1' },
  })
  expect(readSettings({}).trustProxy).toBe('loopback')
  expect(readSettings({ TRUST_PROXY: 'loopback,10.0.0.0/8,fd00::/8' }).trustProxy).toContain('10.0.0.0/8')
  for (const odd of ['true', '1', '10.0.0.0/33', 'proxy', '10.0.0.1,'])
    expect(() => readSettings({ TRUST_PROXY: odd })).toThrow('TRUST_PROXY 应为反向代理的地址或网段')
  expect(readSettings({}).webhookHosts).toEqual([])
  expect(readSettings({ WEBHOOK_HOSTS: 'oa.example.local:8080,[fd00::1]:80,10.0.0.8' }).webhookHosts).toEqual(
    ['oa.example.local:8080', '[fd00::1]:80', '10.0.0.8'],
  )
  for (const odd of ['https://oa.example.local', 'oa.example.local/path', 'u@oa', '*'])
    expect(() => readSettings({ WEBHOOK_HOSTS: odd })).toThrow('WEBHOOK_HOSTS 应为主机名')
  expect([readSettings({}).host, readSettings({ LISTEN_HOST: '::' }).host]).toEqual([null, '::'])
  expect(() => readSettings({ LISTEN_HOST: 'everywhere' })).toThrow('LISTEN_HOST 应为网络地址')
  expect(() => readSettings({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN 太短')
})

test('the browser gets the tiles with their key, and may read from just the origins that the settings name', async () => {
  const pm = await server.as('pm')
  expect(await pm.call(mapsApi.base)).toEqual({
    tiles: 'https://t{1-3}.example.com/{z}/{x}/{y}.png?key=a%20b',
    credit: '© 示例',
  })
  const data = (await fetch(`${server.url}/healthz`)).headers
  expect([
    data.get('x-content-type-options'),
    data.get('cache-control'),
    data.get('content-security-policy'),
  ]).toEqual(['nosniff', 'no-store', null])
  const page = (await fetch(`${server.url}/`)).headers
  expect([
    page.get('x-content-type-options'),
    page.get('x-frame-options'),
    page.get('referrer-policy'),
  ]).toEqual(['nosniff', 'SAMEORIGIN', 'no-referrer'])
  const policy = Object.fromEntries(
    page
      .get('content-security-policy')!
      .split(';')
      .map((d) => [d.split(' ')[0], d.split(' ').slice(1)]),
  )
  expect(policy['img-src']).toEqual([
    `'self'`,
    'data:',
    'blob:',
    'https://t1.example.com',
    'https://t2.example.com',
    'https://t3.example.com',
  ])
  expect(policy['connect-src']).toEqual([`'self'`])
  expect(policy['media-src']).toEqual([`'self'`, 'blob:'])
})

test('replicas are addresses of the database beside which they stand', () => {
  expect(readSettings({}).replicaUrls).toEqual([])
  const beside = (replicas: string) =>
    readSettings({ DATABASE_URL: 'postgres://db1/zhuguan', DATABASE_REPLICA_URL: replicas }).replicaUrls
  expect(beside('postgres://db2:5433,postgresql://db3')).toEqual(['postgres://db2:5433', 'postgresql://db3'])
  expect(() => beside('db2:5432')).toThrow('DATABASE_REPLICA_URL 应为流复制副本的地址')
  expect(() => readSettings({ DATABASE_REPLICA_URL: 'postgres://db2' })).toThrow('要和 DATABASE_URL 一起设置')
  expect(() => readSettings({ DATABASE_REPLICAS: 'x' })).toThrow('不认识的设置')
})

test('a setting that is nearly one of ours is refused; what other programs are told passes', () => {
  for (const name of [
    'DATBASE_URL',
    'DATABASEURL',
    'DB_URL',
    'DATABASE',
    'DATADIR',
    'DATA_DIRR',
    'MQTTURL',
    'MQTTPORT',
    'PORTT',
    'PORT_',
    'TRUSTPROXY',
    'LISTENHOST',
    'LISENT_HOST',
    'SIMULAT',
    'SIMULATED',
    'MAPTILES',
    'PUBLICURL',
    'PUBLIC_ULR',
    'RECORDING_FROM',
    'RECORDINGFROM',
    'SESSIONMINUTES',
    'LOGLEVEL',
    'OIDCISSUER',
    'METRIC_TOKEN',
    'database_url',
    'Data_Dir',
  ])
    expect(() => readSettings({ [name]: '1' }), name).toThrow(`不认识的设置：${name}。`)
  const others = `
    PATH HOME USER HOST HOSTNAME PWD OLDPWD SHELL SHLVL TERM TZ LANG _ LC_ALL LOGNAME MAIL TMPDIR DISPLAY
    EDITOR PAGER DEBUG CI PS1 LS_COLORS PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA PGSSLMODE
    POSTGRES_PASSWORD NODE_ENV NODE_OPTIONS NODE_NO_WARNINGS NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS NO_COLOR
    npm_config_registry npm_package_name npm_lifecycle_event INIT_CWD COLOR FORCE_COLOR HTTP_PROXY
    HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy ALL_PROXY SSL_CERT_FILE TEST_DATABASE_URL
    TEST_CLOCK BENCH_DATABASE_URL BENCH_ROWS STATEMENTS_RAN CHROMIUM REDIS_URL BASE_URL API_URL REPORT
    SSH_AUTH_SOCK XDG_DATA_DIRS XDG_DATA_HOME INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID NOTIFY_SOCKET
    KUBERNETES_SERVICE_HOST KUBERNETES_PORT DB_PORT DB_HOST AWS_REGION AWS_ACCESS_KEY_ID
  `
  for (const name of others.trim().split(/\s+/))
    expect(() => readSettings({ [name]: '1' }), name).not.toThrow()
})

test('files go into a bucket when FILES names one and S3_… says how; anything else is refused in words', () => {
  const s3 = { S3_ENDPOINT: 'https://s3.example.com', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' }
  expect(readSettings({}).files).toBeNull()
  expect(readSettings({ ...s3, FILES: 's3://zhuguan/files' }).files).toMatchObject({
    address: 's3://zhuguan/files',
    s3: { endpoint: 'https://s3.example.com', region: 'us-east-1' },
  })
  for (const wrong of [
    '/srv/files',
    'file:///srv',
    's3://',
    's3://A',
    's3://zhuguan/a/../b?x',
    'https://s3/x',
  ])
    expect(() => readSettings({ ...s3, FILES: wrong })).toThrow('FILES 应为对象存储里的桶和前缀')
  expect(() => readSettings({ FILES: 's3://zhuguan/files' })).toThrow('请用 S3_ENDPOINT、S3_ACCESS_KEY')
  expect(() => readSettings({ ...s3, FILES_AT: 's3://zhuguan' })).toThrow('不认识的设置：FILES_AT')
})
