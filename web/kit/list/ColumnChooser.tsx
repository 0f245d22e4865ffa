import { barePart } from '../barePart.tsx'
import { Opener } from '../Floating.tsx'
import type { ChosenColumns } from './ColumnList.tsx'

const ColumnList = barePart(() => import('./ColumnList.tsx'))

/** The columns of a list and their order; what there is to choose comes when somebody looks. */
export const ColumnChooser = ({ columns }: { columns: ChosenColumns }) => (
  <Opener
    align="end"
    button={
      <button className="button" title="选择显示哪些列">
        列
      </button>
    }
  >
    {() => <ColumnList columns={columns} />}
  </Opener>
)
