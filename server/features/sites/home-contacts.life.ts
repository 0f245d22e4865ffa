import { foreseen, type SiteLife } from '../../kit/site-life.ts'
import { followHome } from './home-contacts.service.ts'

/** The people of a home are its own, wherever it is built from. */
export const contactsLife: SiteLife = {
  goesAlong: ['home_contacts'],
  moving: {
    foresee: async () => foreseen([]),
    move: async (tx, call, site) => void (await followHome(tx, call.user.tenant, site.id)),
  },
}
