import type { CaseProposal } from '@zhuguan/contract/features/cases/cases.record.ts'
import { Drawer } from 'antd'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { reasonsOf } from './caseFacts.ts'

/** Homes that propose themselves, the best first, and what speaks for each. */
export default function ProposedDrawer({
  sites,
  onAdd,
  onClose,
}: {
  sites: readonly CaseProposal[]
  onAdd: (site_id: string) => void
  onClose: () => void
}) {
  return (
    <Drawer open title="值得做案例的工地" size="min(720px, 100vw)" onClose={onClose}>
      <p className="quiet">
        依次按前后对比、整洁度、是否按期、业主表扬排；有人说过不同意的、做过案例的不在里面。生成以后还要打码、放行、业主同意，才能上架。
      </p>
      <ol className="case-ranked">
        {sites.map((s) => (
          <li key={s.site_id}>
            <span>
              <LinkTo page="SiteInfo" query={{ id: s.site_id }}>
                {s.siteName}
              </LinkTo>
              <small>
                {[s.bc_name, s.style, s.layout, `${s.pictures} 张照片`].filter(Boolean).join(' · ')}
              </small>
              <small>{reasonsOf(s).join('，')}</small>
            </span>
            <button className="button" onClick={() => onAdd(s.site_id)}>
              生成案例
            </button>
          </li>
        ))}
      </ol>
    </Drawer>
  )
}
