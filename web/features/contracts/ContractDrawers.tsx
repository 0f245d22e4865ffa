import { useQuery } from '@tanstack/react-query'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  contractFileKind,
  type ContractRow,
  contractState,
  payMethod,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, CodeField, PickField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { PapersField } from '../../parts/PapersField.tsx'
import { SiteField } from '../../parts/pickFields.tsx'
import { useSession } from '../../parts/session.ts'
import { ToldField } from '../../parts/ToldField.tsx'
import { moneyOr, placeOf } from './contractStates.tsx'
import type { OpenedContract } from './useContractActions.ts'

import './contracts.css'

const ChangeDrawer = lazyPart(() => import('./ChangeDrawer.tsx'))
type Props = DrawerProps & { contract: ContractRow }

/** Loaded with the first drawer that is opened. */
export default function ContractDrawers({ kind, change, ...p }: DrawerProps & OpenedContract) {
  if (kind === 'change') return <ChangeDrawer {...p} change={change} />
  if (kind === 'refund') return <Refund {...p} />
  if (kind === 'sign') return <Sign {...p} />
  if (kind === 'plan') return <Plan {...p} />
  if (kind === 'attach') return <Attach {...p} />
  if (kind === 'bill') return <Bill {...p} />
  if (kind === 'signBill') return <SignBill {...p} />
  if (kind === 'terminate') return <Terminate {...p} />
  return <Pay {...p} />
}
const today = () => dayOf(nowSeconds())
const oneOf = ({ id, version }: ContractRow) => ({ id, version })
const useDetail = (id: string) =>
  useQuery({
    queryKey: [contractsApi.details.path, id],
    queryFn: ({ signal }) => call(contractsApi.details, { query: { id } }, signal),
  }).data

/** The last question between a clerk and a slip of the hand. */
const Sums = ({ of: c }: { of: ContractRow }) => (
  <p className="contract-sums">
    合同额 <b>{grouped(c.total)}</b> 元，已收 <b>{moneyOr(c.paid)}</b>，欠款 <b>{moneyOr(c.owed)}</b>
  </p>
)

function Pay({ contract: c, ...p }: Props) {
  const isSigned = c.signingProgress === signingProgress.code.signed
  const what = isSigned ? '收款' : '收定金'
  const form = useForm(contractsApi.pay, {
    ...oneOf(c),
    amount: null,
    method: 'transfer',
    paidOn: today(),
    payer: c.customerName,
    remark: '',
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`${what} ${c.code} ${c.customerName}`}
      done={({ code }) => ({ text: `${what} ${code} 已记账` })}
    >
      <Sums of={c} />
      <TextField of={form} name="amount" label="收款金额（元）" example="5000" focus />
      <ChoiceField of={form} name="method" codes={payMethod} />
      <DayField of={form} name="paidOn" to={today()} />
      <TextField of={form} name="payer" />
      <TextField of={form} name="remark" rows={2} />
      <p className="quiet lead">收款单记下后不能修改；记错了用退款更正。</p>
    </FormDrawer>
  )
}

const findContracts = (but: string) => async (keyword: string) =>
  (await call(contractsApi.pick, { query: { keyword } }))
    .filter((o) => o.id !== but && o.state === contractState.code.live)
    .map((o) => ({ value: o.id, label: `${o.code} ${o.customerName}` }))
const contractNamed = async (id: string) => {
  const [one] = await call(contractsApi.pick, { query: { id } })
  return one && { value: one.id, label: `${one.code} ${one.customerName}` }
}
function Refund({ contract: c, ...p }: Props) {
  const isSigned = c.signingProgress === signingProgress.code.signed
  const form = useForm(contractsApi.refund, {
    ...oneOf(c),
    amount: isSigned ? null : c.paid,
    kept: '0',
    keptReason: '',
    method: 'transfer',
    payee: c.customerName,
    to_id: null,
    reason: '',
    proof: null,
  })
  const keeps = !isSigned && !/^0*(\.0*)?$/.test(form.values.kept ?? '0')
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`${isSigned ? '退款' : '退定'} ${c.code} ${c.customerName}`}
      ok="提交审核"
      done={({ code }) => ({ text: `退款单 ${code} 已提交审核，通过后生效` })}
    >
      <Sums of={c} />
      <TextField
        of={form}
        name="amount"
        label={isSigned ? '退款金额（元）' : '退定金额（元，全部已收）'}
        disabled={!isSigned}
      />
      {!isSigned && (
        <TextField
          of={form}
          name="kept"
          label="其中留用（元）"
          hint="不退给客户的部分，例如量房费；没有填 0"
        />
      )}
      {keeps && <TextField of={form} name="keptReason" rows={2} example="量房和设计费" />}
      {keeps && <PapersField of={form} name="proof" most={1} label="留用凭证（客户签字）" />}
      {isSigned && (
        <PickField
          of={form}
          name="to_id"
          label="转到合同"
          hint="不退给客户，转作另一份合同的收款；退给客户请留空"
          find={findContracts(c.id)}
          nameOf={contractNamed}
        />
      )}
      <ChoiceField of={form} name="method" codes={payMethod} />
      <TextField of={form} name="payee" />
      <ReasonField of={form} name="reason" example="客户改了主意" />
    </FormDrawer>
  )
}

function Sign({ contract: c, ...p }: Props) {
  const detail = useDetail(c.id)
  const place = detail ? placeOf(detail) : ''
  const form = useForm(contractsApi.sign, {
    ...oneOf(c),
    signer: c.customerName,
    signedOn: today(),
    site_id: null,
    ws_name: null,
    address: null,
    plannedStart: null,
    plannedFinish: null,
    told: false,
    files: [],
  })
  const { ws_name, address } = form.values
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`签约 ${c.code} ${c.customerName}`}
      done={({ siteCode }) => ({
        text: form.values.site_id
          ? `已签约，合同归到工地 ${siteCode}`
          : `已签约，工地 ${siteCode} 已建好（未开工）`,
      })}
    >
      <Sums of={c} />
      <p className="quiet lead">
        按报价单最新审核通过的版本签约：每一行存为合同内容，不能再改；同时建立业主和未开工的工地。
      </p>
      <TextField of={form} name="signer" />
      <DayField of={form} name="signedOn" to={today()} />
      <ToldField of={form} notice="signing" />
      <SiteField of={form} name="site_id" hint="工地已经在了（合同外开工或导入的）才选；不选就新建工地" />
      {!form.values.site_id && (
        <>
          <TextField
            of={form}
            name="ws_name"
            {...(place && !ws_name
              ? { hint: <Suggest text={place} put={(t) => form.set({ ws_name: t })} /> }
              : {})}
          />
          <TextField
            of={form}
            name="address"
            {...(place && !address
              ? { hint: <Suggest text={place} put={(t) => form.set({ address: t })} /> }
              : {})}
          />
          <DayField of={form} name="plannedStart" />
          <DayField
            of={form}
            name="plannedFinish"
            {...(form.values.plannedStart ? { from: form.values.plannedStart } : {})}
          />
        </>
      )}
      <PapersField of={form} name="files" label="签好的合同" />
    </FormDrawer>
  )
}
/** The values of the customer's record; one click takes them. */
const Suggest = ({ text, put }: { text: string; put: (text: string) => void }) => (
  <button type="button" className="text-button" onClick={() => put(text)}>
    用客户的地址：{text}
  </button>
)

function Plan({ contract: c, ...p }: Props) {
  const latest = async () => {
    const now = await call(contractsApi.details, { query: { id: c.id } })
    const plan = now.instalments
      .filter((i) => i.change_id === null)
      .map(({ name, stage, percent }) => ({ name, stage, percent: percent ?? '' }))
    return { id: c.id, version: now.version, plan }
  }
  const form = useForm(contractsApi.plan, null, { latest })
  return (
    <FormDrawer {...p} form={form} title={`付款计划 ${c.code}`} done="付款计划已保存">
      <p className="quiet lead">按合同额的百分比，各期四舍五入到分，最后一期取余数；通过的变更单自成一期。</p>
      <Lines
        of={form}
        name="plan"
        fresh={() => ({ name: '', stage: null, percent: null })}
        columns="minmax(120px, 1fr) 150px 90px"
        title={(row, at) => row.name || `第 ${at + 1} 期`}
      >
        {(row) => (
          <>
            <TextField of={row} name="name" />
            <CodeField of={row} name="stage" codes={siteStage} clear placeholder="签约时" />
            <TextField of={row} name="percent" />
          </>
        )}
      </Lines>
    </FormDrawer>
  )
}

function Attach({ contract: c, ...p }: Props) {
  const form = useForm(contractsApi.attach, { ...oneOf(c), kind: 'other', file: null })
  return (
    <FormDrawer {...p} narrow form={form} title={`附件 ${c.code}`} done="附件已添加">
      <ChoiceField of={form} name="kind" codes={contractFileKind} />
      <PapersField of={form} name="file" most={1} />
    </FormDrawer>
  )
}

function Terminate({ contract: c, ...p }: Props) {
  const form = useForm(contractsApi.terminate, { ...oneOf(c), value: c.paid, reason: '' })
  return (
    <FormDrawer
      {...p}
      form={form}
      danger
      ok="终止合同"
      title={`终止合同 ${c.code} ${c.customerName}`}
      done="合同进入终止结算，钱款结平、设备收回后结清"
    >
      <Sums of={c} />
      <p className="quiet lead">工地“{c.ws_name}”同时结束：班组撤离、设备待回收；不能恢复。</p>
      <TextField
        of={form}
        name="value"
        label="结算金额（元）"
        hint="已完成的部分一共算多少钱：比已收多的由客户补，少的退给客户"
      />
      <ReasonField of={form} name="reason" example="客户出国，不再装修" />
    </FormDrawer>
  )
}

function Bill({ contract: c, ...p }: Props) {
  const latest = async () => {
    const { bill, version } = await call(contractsApi.details, { query: { id: c.id } })
    return {
      id: c.id,
      version,
      warranty: bill?.warranty ?? '0',
      warrantyOn: bill?.warrantyOn ?? null,
      remark: bill?.remark ?? '',
    }
  }
  const form = useForm(contractsApi.bill, null, { latest })
  const holds = !/^0*(\.0*)?$/.test(form.values?.warranty ?? '0')
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`竣工结算 ${c.code} ${c.customerName}`}
      done="竣工结算单已出，请双方签字"
    >
      <Sums of={c} />
      <p className="quiet lead">
        结算单列出签约金额、全部通过的变更、已收和应补或应退；双方签字以前可以重出，有新的变更通过也要重出。
      </p>
      <TextField
        of={form}
        name="warranty"
        label="质保金（元）"
        hint="客户暂时不付、到期再付的部分，从尾款里扣出来；没有填 0"
      />
      {holds && <DayField of={form} name="warrantyOn" />}
      <TextField of={form} name="remark" rows={3} />
    </FormDrawer>
  )
}
function SignBill({ contract: c, ...p }: Props) {
  const { nickname } = useSession().info.user
  const form = useForm(contractsApi.signBill, {
    ...oneOf(c),
    signer: c.customerName,
    ours: nickname,
    signedOn: today(),
    files: [],
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`结算签字 ${c.code} ${c.customerName}`}
      done="双方已签字，结算单不能再改"
    >
      <Sums of={c} />
      <p className="quiet lead">签字以后不能再变更；钱款结平（质保金除外）后结清。</p>
      <TextField of={form} name="signer" />
      <TextField of={form} name="ours" />
      <DayField of={form} name="signedOn" to={today()} />
      <PapersField of={form} name="files" label="双方签字的结算单" />
    </FormDrawer>
  )
}
