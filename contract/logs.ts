import { alarmUserLog } from './features/alarms/alarms.record.ts'
import { attendanceLog } from './features/attendance/attendance.record.ts'
import { caseLog } from './features/cases/cases.record.ts'
import { channelLog } from './features/channels/channels.record.ts'
import { companyLog, storeLog } from './features/companies/companies.record.ts'
import { contractLog } from './features/contracts/contracts.record.ts'
import { correctionUserLog } from './features/corrections/corrections.record.ts'
import { customerLog } from './features/customers/customers.record.ts'
import { followLog } from './features/customers/follow-ups.record.ts'
import { targetLog } from './features/customers/signing-board.record.ts'
import { deviceLog } from './features/devices/devices.record.ts'
import { carrierLog } from './features/dispatch/carriers.record.ts'
import { dispatchLog } from './features/dispatch/dispatch.record.ts'
import { examineLog } from './features/examine/examine.record.ts'
import { feedbackLog } from './features/feedback/feedback.record.ts'
import { goodsLog } from './features/goods/goods.record.ts'
import { handoverLog } from './features/handovers/handovers.record.ts'
import { linkLog } from './features/links/links.record.ts'
import { mailLog } from './features/mails/mails.record.ts'
import { orderLog } from './features/orders/orders.record.ts'
import { homeVideoLog } from './features/owners/grants.record.ts'
import { homeDeviceLog } from './features/owners/home-devices.record.ts'
import { contactLog } from './features/owners/owners.record.ts'
import { packageLog } from './features/packages/packages.record.ts'
import { pageLog } from './features/pages/pages.record.ts'
import { patrolLog } from './features/patrols/patrols.record.ts'
import { patrolPlanLog, patrolTaskLog, patrolTemplateLog } from './features/patrols/plans.record.ts'
import { personLog } from './features/persons/persons.record.ts'
import { categoryLog, productLog } from './features/products/products.record.ts'
import { promiseLog } from './features/promises/promises.record.ts'
import { questionLog } from './features/questions/questions.record.ts'
import { quotationLog } from './features/quotations/quotations.record.ts'
import { rankWeightLog } from './features/rankings/rankings.record.ts'
import { receptionLog } from './features/receptions/receptions.record.ts'
import { recordingLog } from './features/recordings/recordings.record.ts'
import { roleLog } from './features/roles/roles.record.ts'
import { arrangementLog } from './features/screens/arrangements.record.ts'
import { screenLog } from './features/screens/screens.record.ts'
import { settingLog } from './features/settings/settings.record.ts'
import { previewLog } from './features/shares/previews.record.ts'
import { siteLog } from './features/sites/sites.record.ts'
import { statementLog } from './features/statements/statements.record.ts'
import { supervisionLog } from './features/supervision/supervision.record.ts'
import { threadLog } from './features/threads/threads.record.ts'
import { tidinessLog } from './features/tidiness/tidiness.record.ts'
import { trustLog } from './features/trusts/trusts.record.ts'
import { userLog } from './features/users/accounts.record.ts'
import { violationLog } from './features/violations/violations.record.ts'
import { visitLog } from './features/visitors/visitors.record.ts'
import { warningLog } from './features/warnings/warnings.record.ts'
import { documentLog } from './features/workers/documents.record.ts'
import { workerLog } from './features/workers/workers.record.ts'
import { logged } from './kit/logged.ts'

/** The subjects of the log, a line for each kind of thing. A line about anything else tells of a refused address. */
export const LOGS = {
  user: userLog,
  role: roleLog,
  page: pageLog,
  company: companyLog,
  store: storeLog,
  setting: settingLog,
  site: siteLog,
  contact: contactLog,
  homeDevice: homeDeviceLog,
  homeVideo: homeVideoLog,
  case: caseLog,
  reception: receptionLog,
  thread: threadLog,
  worker: workerLog,
  document: documentLog,
  attendance: attendanceLog,
  device: deviceLog,
  alarm: alarmUserLog,
  correction: correctionUserLog,
  trust: trustLog,
  ranking: rankWeightLog,
  recording: recordingLog,
  feedback: feedbackLog,
  violation: violationLog,
  promise: promiseLog,
  warning: warningLog,
  supervision: supervisionLog,
  question: questionLog,
  visit: visitLog,
  tidiness: tidinessLog,
  patrol: patrolLog,
  patrolPlan: patrolPlanLog,
  patrolTemplate: patrolTemplateLog,
  patrolTask: patrolTaskLog,
  person: personLog,
  examine: examineLog,
  contract: contractLog,
  order: orderLog,
  dispatch: dispatchLog,
  goods: goodsLog,
  statement: statementLog,
  link: linkLog,
  preview: previewLog,
  carrier: carrierLog,
  channel: channelLog,
  screen: screenLog,
  arrangement: arrangementLog,
  mail: mailLog,
  package: packageLog,
  customer: customerLog,
  handover: handoverLog,
  followUp: followLog,
  target: targetLog,
  quotation: quotationLog,
  product: productLog,
  productCategory: categoryLog,
  file: logged('照片', {}),
  export: logged('导出', { mark: '导出标记' }),
  import: logged('导入', { name: '文件', total: '行数', done: '已存行数', rows: '存入行数' }),
  log: logged('操作日志', { checked: '核对行数', blackened: '涂黑行数', ok: '完整', why: '问题' }),
} as const
export type LogObject = keyof typeof LOGS
type FieldOf<O extends LogObject> = keyof (typeof LOGS)[O]['fields'] | 'id' | 'version' | 'ids'
/** Values of a line; a field that the thing does not have does not compile. */
export type Told<O extends LogObject, V> = V & { [K in Exclude<keyof V, FieldOf<O>>]: never }
