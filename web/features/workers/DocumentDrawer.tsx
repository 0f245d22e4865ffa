import { documentsApi } from '@zhuguan/contract/features/workers/documents.api.ts'
import { documentKind, type DocumentRow } from '@zhuguan/contract/features/workers/documents.record.ts'
import type { WorkerRow } from '@zhuguan/contract/features/workers/workers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { CodeField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { PictureField } from '../../parts/PictureFields.tsx'

type Props = DrawerProps & { worker: WorkerRow }
type Body = BodyOf<typeof documentsApi.add | typeof documentsApi.edit>

export default function DocumentDrawer({ document, ...p }: Props & { document: DocumentRow | null }) {
  return document ? <EditDrawer {...p} document={document} /> : <AddDrawer {...p} />
}

const DocumentFacts = ({ of, name, kept }: { of: Fields<Body>; name: string; kept?: string }) => (
  <>
    <CodeField of={of} name="kind" codes={documentKind} />
    <TextField of={of} name="number" hint={kept && `不填就不改，现在是 ${kept}`} />
    <DayField of={of} name="validUntil" hint="空着表示长期有效" />
    <PictureField
      of={of}
      name="picture"
      caption={`${name} 的证件`}
      hint="看证件照片的人会在照片上留下自己的名字"
    />
  </>
)

function AddDrawer({ worker, ...p }: Props) {
  const form = useForm(documentsApi.add, {
    worker_id: worker.id,
    kind: null,
    number: '',
    validUntil: null,
    picture: null,
  })
  return (
    <FormDrawer {...p} form={form} title={`登记证件：${worker.w_name}`} done="已登记">
      <DocumentFacts of={form} name={worker.w_name} />
    </FormDrawer>
  )
}

const factsOf = ({ id, version, kind, validUntil, picture }: DocumentRow) => ({
  id,
  version,
  kind,
  number: '',
  validUntil,
  picture,
})
function EditDrawer({ worker, document, ...p }: Props & { document: DocumentRow }) {
  const form = useForm(documentsApi.edit, factsOf(document), {
    latest: () =>
      call(documentsApi.list, { query: { worker_id: worker.id } }).then((all) =>
        factsOf(all.find((d) => d.id === document.id) ?? document),
      ),
    // The number is hidden here: left as it is, it is not sent.
    unlessChanged: ['number'],
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`修改${documentKind.label(document.kind)}：${worker.w_name}`}
      done="已保存"
    >
      <DocumentFacts of={form} name={worker.w_name} kept={document.number} />
    </FormDrawer>
  )
}
