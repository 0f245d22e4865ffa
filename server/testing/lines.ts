const FIGURES = ['late', 'in_time', 'corrected', 'responded', 'planned', 'patrolled']
const each = (said: (figure: string) => string) => FIGURES.map(said).join(', ')

/**
 * Tables whose rows are lines that are added up: two of them say the same where their sums do, in however many lines
 * (docs/decisions/0667, 0691). Each as what stands for it in a FROM.
 */
export const LINES: Readonly<Record<string, string>> = {
  customer_counts: `(SELECT tenant_id, bc_id, store_id, held, step, sum(count) AS count
     FROM customer_counts GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0)`,
  supervised_stages: `(SELECT tenant_id, bc_id, day, user_id, stage, ${each((f) => `sum(${f}) AS ${f}`)}
     FROM supervised_stages GROUP BY 1, 2, 3, 4, 5
     HAVING (${each((f) => `sum(${f})`)}) <> (0, 0, 0, 0, 0, 0))`,
}
