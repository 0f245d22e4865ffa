import { uuidv7 } from '../../kit/ids.ts'
import type { Tx } from '../connect.ts'
import { type BRANCHES, type lottery, personName, phone } from './names.ts'
import { insert } from './rows.ts'

/** The distance from the middle of their city, in degrees. */
const STORES = [
  { name: '旗舰店', east: 0.008, north: -0.004 },
  { name: '城西店', east: -0.022, north: 0.006 },
]
/** A branch of the demo, its two stores and its merchant. */
export async function openBranch(
  tx: Tx,
  l: ReturnType<typeof lottery>,
  tenant: string,
  branch: (typeof BRANCHES)[number],
  at: number,
) {
  const bc = uuidv7()
  await insert(tx, 'companies', [
    {
      tenant_id: tenant,
      bc_id: bc,
      bc_name: branch.name,
      code: branch.code,
      city: branch.city,
      address: `${branch.city}市${branch.roads[0]} 1 号`,
      principal: personName(l),
      phone: phone(l),
      receives_orders: true,
      sort: at,
      status: 1,
      lng: branch.lng,
      lat: branch.lat,
    },
  ])
  const stores = STORES.map(({ east, name, north }) => ({
    tenant_id: tenant,
    id: uuidv7(),
    bc_id: bc,
    name: `${branch.city}${name}`,
    address: `${branch.city}市${l.pick(branch.roads)}`,
    principal: personName(l),
    phone: phone(l),
    receives_orders: false,
    status: 1,
    lng: branch.lng + east,
    lat: branch.lat + north,
  }))
  // A merchant from outside: it takes orders, and no site is its own.
  const merchant = {
    tenant_id: tenant,
    id: uuidv7(),
    bc_id: bc,
    name: `${branch.city}建材商家`,
    address: `${branch.city}市建材市场 8 号`,
    principal: '商经理',
    phone: '13600000008',
    receives_orders: true,
    status: 1,
  }
  await insert(tx, 'stores', [...stores, merchant])
  return { bc, stores, merchant }
}
