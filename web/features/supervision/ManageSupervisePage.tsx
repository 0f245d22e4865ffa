import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useEffect } from 'react'

import { useList } from '../../kit/list/useList.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { useActor } from '../../parts/session.ts'
import { People } from './People.tsx'
import { PersonFigures } from './PersonFigures.tsx'
import { Records } from './Records.tsx'

import './supervision.css'

/** All people of a branch for who supervises them; one person; the records behind one of their figures. */
export default function ManageSupervisePage() {
  const actor = useActor()
  const id = useParam('id')
  const figure = useParam('figure')
  const page = usePage()
  const isSuperior = hasPermission(actor, 'manage:supervise')
  // Who sees nobody else is there by their name, as the other pages about them are.
  useEffect(() => {
    if (!id && !isSuperior) page.go(linkTo('ManageSupervise', { id: actor.id }), { replace: true })
  }, [id, isSuperior])
  if (!id) return isSuperior ? <Everybody /> : null
  return figure ? <Behind person={id} /> : <PersonFigures person={id} />
}

const Everybody = () => <People list={useList(supervisionApi.people)} />
const Behind = ({ person }: { person: string }) => (
  <Records person={person} list={useList(supervisionApi.records, { about: 'id', always: { id: person } })} />
)
