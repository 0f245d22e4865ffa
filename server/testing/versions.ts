import type { TestServer } from './start.ts'

/** Tables whose rows say which version they are. */
const VERSIONED = `
  absences sites home_contacts video_grants receptions devices alarms corrections alarm_pairs tidiness_checks users
  workers
  arrangements screens
  face_removals worker_documents stores roles pages visits violations promises questions warnings feedback
  customers follow_ups customer_promises handovers supervision_remarks
  packages examine_requests quotations contracts contract_changes contract_refunds orders dispatches
  goods_changes logistics trips previews statements owed_payments owed_charges products product_categories
  patrol_templates patrol_plans patrol_tasks patrols`
  .trim()
  .split(/\s+/)
/** Versions of every record, so that a strange id beside one's own is what the server stumbles over. */
export async function versions(server: TestServer): Promise<Map<string, number>> {
  const rows = await server.sql<{ id: string; version: number }>(
    VERSIONED.map((table) => `SELECT id::text, version FROM ${table}`)
      .concat('SELECT bc_id::text, version FROM companies')
      .join(' UNION ALL '),
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
