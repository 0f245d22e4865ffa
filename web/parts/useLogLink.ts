import { hrefOf } from '../kit/LinkTo.tsx'
import type { RowAction } from '../kit/RowActions.tsx'
import { useSession } from './session.ts'

/** The history of one thing, for who may read the log: an action that leads there. */
export function useLogLink(): (object: string, id: string) => RowAction[] {
  const { info } = useSession()
  const may = info.rolesJf.includes('UserLog')
  return (object, id) =>
    may
      ? [
          {
            key: 'log',
            label: '变更记录',
            open: () => (location.hash = hrefOf('UserLog', { object, object_id: id })),
          },
        ]
      : []
}
